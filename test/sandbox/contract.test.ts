import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Sandbox } from '../../sandbox';
import { openApiOf } from '../../sandbox/openApi';
import { CASES } from '../cases';
import type { NodeName, OperationCase } from '../cases';
import { variantOf } from '../cases/operationCase';
import { linkCaller, registryCaller, sandboxFor } from './support';

const cases = (Object.keys(CASES) as NodeName[]).flatMap((node) =>
	CASES[node].flatMap((each) =>
		each.documented ? [{ node, each, endpoint: normalized(each.documented.endpoint) }] : [],
	),
);

function normalized(endpoint: string): string {
	return endpoint.replace(/:\w+/g, ':');
}

function callsOf(services: Array<{ endpoints: Sandbox['links']['endpoints'] }>) {
	return services.flatMap(({ endpoints }) =>
		endpoints.map(({ method, path, response }) => ({
			call: normalized(`${method.toUpperCase()} ${path}`),
			response,
		})),
	);
}

test('the sandbox has exactly the documented endpoints', async () => {
	const { links, registry } = await sandboxFor();
	const calls = callsOf([links, registry.v1, registry.unversioned]).map(({ call }) => call);
	expect(calls.sort()).toEqual(cases.map(({ endpoint }) => endpoint).sort());
});

test.each(cases)(
	'the sandbox answers $endpoint as documented',
	async ({ node, each, endpoint }) => {
		const sandbox = await sandboxFor();
		const registry = sandbox.registry[variantOf(each)];
		const service = node === 'linkManagement' ? sandbox.links : registry;
		const call = node === 'linkManagement' ? linkCaller(sandbox) : registryCaller(registry);
		const [exchange] = each.exchanges as [OperationCase['exchanges'][0]];
		const [method = '', path = ''] = exchange.request.split(' ');
		const { status, json } = await call(method, path, exchange.body);
		expect(status).toBe(200);
		const success = node === 'linkManagement' ? Number(json.error) === 0 : json.success;
		expect(success).toBe(true);
		const schema = callsOf([service]).find((each) => each.call === endpoint)?.response;
		for (const response of schema ? [json, exchange.response] : []) {
			expect(schema!.safeParse(response).error?.issues).toBeUndefined();
		}
	},
);

test('the OpenAPI documents match the sandbox (if not, run `npm run docs`)', async () => {
	const { links, registry, url } = await sandboxFor();
	const served = await fetch(`${url}/openapi/links.json`);
	expect(await served.json()).toEqual(openApiOf(links));
	for (const service of [links, registry.v1, registry.unversioned]) {
		const file = join(__dirname, '..', '..', 'docs', 'openapi', `${service.name}.json`);
		expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual(openApiOf(service));
	}
});
