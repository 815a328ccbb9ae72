import { isJson } from '../../nodes/shared/http/envelope';
import { CompanyRegistry } from '../../nodes/CompanyRegistry/CompanyRegistry.node.ts';
import { LinkManagement } from '../../nodes/LinkManagement/LinkManagement.node.ts';
import { type Sandbox, startSandbox } from '../../sandbox';
import { outputSchemas } from '../../tools/schemas/outputSchemas';
import { byId, runNode } from '../engine/harness';

const schemas = outputSchemas(new LinkManagement().description);
const registrySchemas = outputSchemas(new CompanyRegistry().description);

let sandbox: Sandbox;
beforeAll(async () => {
	sandbox = await startSandbox({ links: { rateLimit: { limit: 1_000 } } });
});
afterAll(async () => await sandbox.close());

it('gives every operation of Link Management a schema, except a request to any endpoint', () => {
	const operations = new LinkManagement().description.properties
		.filter(({ name }) => name === 'operation')
		.flatMap(({ options, displayOptions }) =>
			(options ?? []).map(
				(option) => `${displayOptions?.show?.resource}/${'value' in option && option.value}`,
			),
		);
	expect([...Object.keys(schemas), 'apiRequest/send'].sort()).toEqual(operations.sort());
	expect(operations).toHaveLength(36);
});

/** Operations with the parameters that they need. */
const operations: Array<[string, Record<string, unknown>]> = [
	['account/get', {}],
	['account/update', { accountFields: { email: 'name@example.com' } }],
	['campaign/addLink', { campaignId: byId(3), linkId: '5' }],
	['campaign/create', { campaignFields: { name: 'Spring' } }],
	['campaign/get', { campaignId: byId(3) }],
	['campaign/getAll', {}],
	['campaign/update', { campaignId: byId(3), campaignName: 'Summer' }],
	['campaign/upsert', { campaignName: 'Autumn' }],
	['campaign/delete', { campaignId: byId(4) }],
	['channel/addItem', { channelId: byId(3), itemType: 'links', itemId: '5' }],
	[
		'channel/create',
		{ name: 'News', channelFields: { description: 'd', color: '#112233', starred: true } },
	],
	['channel/get', { channelId: byId(3) }],
	['channel/getAll', {}],
	['channel/getItems', { channelId: byId(1) }],
	['channel/upsert', { name: 'News' }],
	['channel/update', { channelId: byId(3), channelFields: { name: 'Letters' } }],
	['ctaOverlay/getAll', {}],
	['domain/create', { domain: 'https://go.example.com' }],
	['domain/get', { domainId: byId(3) }],
	['domain/getAll', {}],
	[
		'domain/upsert',
		{
			domain: 'https://up.example.com',
			domainFields: {
				redirectroot: 'https://example.com',
				redirect404: 'https://example.com/404',
			},
		},
	],
	['file/getAll', {}],
	['pixel/create', { type: 'bing', name: 'Shop', tag: 'T-1' }],
	['pixel/get', { pixelId: byId(3) }],
	['pixel/getAll', {}],
	['qrCode/get', { qrCodeId: byId(2) }],
	['qrCode/getAll', {}],
	['splashPage/getAll', {}],
];

it.each(operations)('has the fields that come out of %s', async (name, parameters) => {
	const [resource, operation] = name.split('/');
	const { items, error } = await runNode({
		type: 'linkManagement',
		parameters: { resource, operation, ...parameters } as never,
		credentials: {
			linkManagementApi: { baseUrl: sandbox.links.baseUrl, apiKey: sandbox.links.apiKey },
		},
	});
	expect(error).toBeUndefined();
	const { properties } = schemas[name] as { properties: object };
	expect(Object.keys(items[0]?.json ?? {}).sort()).toEqual(Object.keys(properties).sort());
});

/** The fields of the raw dossier, the suggestions, the status and V1's search are not documented. */
const registryOperations: Array<[string, 'v1' | 'unversioned', Record<string, unknown>]> = [
	['company/enrich', 'v1', { companyIdno: '1000600900002', addCredit: true }],
	['company/search', 'unversioned', { q: '1000600900002' }],
	['idno/validate', 'v1', { idnoToValidate: '1000600900002' }],
];

const simplified: typeof registryOperations = [
	['company/get', 'v1', { idno: '1000600900002', output: 'simple' }],
	['creditRecommendation/get', 'v1', { idno: '1000600900002', output: 'simple' }],
];

it('gives every operation of Company Registry a schema whose fields the document shows', () => {
	const names = [...registryOperations, ...simplified].map(([name]) => name);
	expect(Object.keys(registrySchemas).sort()).toEqual(names.sort());
});

it.each(registryOperations)('has the fields of the output of %s', async (...row) => {
	const [name] = row;
	expect(shapeOf(await outputOf(row))).toEqual(fieldsOf(registrySchemas[name] as JsonSchema));
});

it.each(simplified)('has only fields of the outputs of %s', async (...row) => {
	const [name, variant, parameters] = row;
	const raw = await outputOf([name, variant, { ...parameters, output: 'raw' }]);
	const both = { ...shapeOf(raw), ...shapeOf(await outputOf(row)) };
	expect(both).toMatchObject(fieldsOf(registrySchemas[name] as JsonSchema));
});

async function outputOf([name, variant, parameters]: (typeof registryOperations)[0]) {
	const [resource, operation] = name.split('/');
	const { baseUrl, apiKey } = sandbox.registry[variant];
	const { items, error } = await runNode({
		type: 'companyRegistry',
		parameters: { resource, operation, ...parameters } as never,
		credentials: { companyRegistryApi: { variant, baseUrl, apiKey } },
	});
	expect(error).toBeUndefined();
	return items[0]!.json;
}

interface JsonSchema {
	properties?: Record<string, JsonSchema>;
}

/** Names of fields, those of objects in them included. */
interface Shape {
	[field: string]: Shape | true;
}

function fieldsOf({ properties = {} }: JsonSchema): Shape {
	return Object.fromEntries(
		Object.entries(properties).map(([name, schema]) => [
			name,
			schema.properties ? fieldsOf(schema) : (true as const),
		]),
	);
}

function shapeOf(record: object): Shape {
	return Object.fromEntries(
		Object.entries(record).map(([name, value]: [string, unknown]) => [
			name,
			isJson(value) ? shapeOf(value) : (true as const),
		]),
	);
}
