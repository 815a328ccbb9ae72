import { NodeHelpers, type IDataObject, type INodePropertyOptions } from 'n8n-workflow';

import { CompanyRegistryApi } from '../../credentials/CompanyRegistryApi.credentials';
import { LinkManagementApi } from '../../credentials/LinkManagementApi.credentials';
import { planOf } from '../../nodes/CompanyRegistry/api';

// test/engine/credentials.test.ts covers the credential test.

it.each([
	['Link Management', new LinkManagementApi(), 'Authorization', 'Bearer a key'],
	['Company Registry', new CompanyRegistryApi(), 'X-API-Key', 'a key'],
])('sends the %s key without line breaks and surrounding spaces', async (...row) => {
	const [, credential, header, sent] = row;
	const { headers, baseURL } = await credential.authenticate(
		{ apiKey: ' \r\na key\n ', baseUrl: 'https://x.example/api/' },
		{ url: '/api/account', headers: { Accept: 'application/json' } },
	);
	expect(headers).toEqual({ Accept: 'application/json', [header]: sent });
	expect(baseURL).toBe('https://x.example');
});

describe.each([
	['Link Management', new LinkManagementApi()],
	['Company Registry', new CompanyRegistryApi()],
])('%s credential', (_, credential) => {
	it('works in HTTP Request, whose list n8n fills from a spread copy of the type', () => {
		expect({ ...credential }.authenticate).toBeInstanceOf(Function);
	});

	const send = async (settings: IDataObject) =>
		await credential.authenticate(
			{ apiKey: 'a key', baseUrl: 'https://x.example', ...settings },
			{ url: '/api/account', headers: { Accept: 'application/json' } },
		);

	it.each([true, 'true', 'Yes'])(
		'checks certificates unless "Ignore SSL Issues" is %j',
		async (told) => {
			expect(await send({})).not.toHaveProperty('skipSslCertificateValidation');
			expect(await send({ allowUnauthorizedCerts: told })).toMatchObject({
				skipSslCertificateValidation: true,
				rejectUnauthorized: false,
			});
		},
	);

	it('says what turning on "Ignore SSL Issues" does, and what it risks', () => {
		const field = credential.properties.find(({ name }) => name === 'allowUnauthorizedCerts');
		expect(field?.description).toMatch(/connect even if .* isn't valid.* could then read the key/);
	});

	const defaults = Object.fromEntries(
		credential.properties.map((property) => [property.name, property.default]),
	);

	it('the editor requires the key, and hides it', () => {
		const key = credential.properties.find(({ name }) => name === 'apiKey');
		expect(key).toMatchObject({ required: true, typeOptions: { password: true } });
	});

	it('a new credential checks certificates', async () => {
		const options = await send({
			allowUnauthorizedCerts: defaults.allowUnauthorizedCerts as never,
		});
		expect(options).not.toHaveProperty('skipSslCertificateValidation');
	});
});

const { properties } = new CompanyRegistryApi();
const plans = properties
	.filter(({ name }) => name === 'plan')
	.flatMap(({ options = [], displayOptions }) =>
		(options as INodePropertyOptions[]).map(({ value }) => ({
			variant: String(displayOptions?.show?.variant?.[0]),
			plan: String(value),
		})),
	);

it.each(plans)('shows the fields for limits only if the plan uses them: %j', (values) => {
	const limits = ['requestsPerMinute', 'requestsPerDay'];
	const shown = properties.filter(
		(property) =>
			limits.includes(property.name) && NodeHelpers.displayParameter(values, property, null, null),
	);
	const { perMinute, perDay } = planOf({ ...values, requestsPerMinute: 7, requestsPerDay: 9 });
	expect(shown).toHaveLength([perMinute === 7, perDay === 9].filter(Boolean).length);
});

const named = properties
	.filter(({ name }) => name === 'plan')
	.flatMap(({ options = [], displayOptions }) =>
		(options as INodePropertyOptions[]).map(({ name, value }) => ({
			name,
			values: { variant: displayOptions?.show?.variant?.[0], plan: value },
		})),
	)
	.filter(({ name }) => !name.endsWith('(Enter Your Limits)'));

it.each(named)('$name: the plan’s name has its limits', ({ name, values }) => {
	const { perMinute, perDay } = planOf(values as IDataObject);
	const limits = `${perMinute} per Minute, ${perDay.toLocaleString('en-US')} per Day`;
	expect(name).toContain(`(${limits})`);
});

it.each(['v1', 'unversioned'])(
	'a new credential for %s starts with the smallest plan',
	(variant) => {
		const [field] = properties.filter(
			(property) =>
				property.name === 'plan' && NodeHelpers.displayParameter({ variant }, property, null, null),
		);
		expect(planOf({ variant, plan: field!.default }).perDay).toBe(100);
		expect(field!.default).toBe((field!.options![0] as INodePropertyOptions).value);
	},
);

it('a new credential uses the V1 API', () => {
	expect(properties.find(({ name }) => name === 'variant')!.default).toBe('v1');
});
