import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { startSandbox, type Sandbox } from '../../sandbox';
import { openApiOf } from '../../sandbox/openApi';
import { CASES, type NodeName } from '../cases';
import { anonymous, isTo } from '../cases/operationCase';

const cases = (Object.keys(CASES) as NodeName[]).flatMap((node) =>
	CASES[node].filter(({ isDocumented }) => isDocumented).map((each) => ({ node, each })),
);

let sandbox: Sandbox;

beforeAll(async () => {
	sandbox = await startSandbox();
});

beforeEach(() => sandbox.reset());

afterAll(async () => await sandbox.close());

const services = () => [sandbox.links, sandbox.registry.v1, sandbox.registry.unversioned];

const callOf = ({ method, path }: { method: string; path: string }) =>
	anonymous(`${method.toUpperCase()} ${path}`);

test('the sandbox has exactly the documented endpoints', () => {
	const calls = services().flatMap(({ endpoints }) => endpoints.map(callOf));
	const called = cases.map(({ each }) => {
		return calls.filter((call) => isTo(call, each.exchanges[0]!.request));
	});
	expect(called.flat().sort()).toEqual(calls.sort());
});

test.each(cases)(
	'the sandbox answers $each.operation ($each.variant) as documented',
	async ({ node, each }) => {
		const isLinks = node === 'linkManagement';
		const service = isLinks ? sandbox.links : sandbox.registry[each.variant];
		const [{ request, body, response: documented }] = each.exchanges as [
			(typeof each.exchanges)[0],
		];
		const [method = '', path = ''] = request.split(' ');
		const isText = typeof body === 'string';
		const response = await fetch(service.baseUrl + path, {
			method,
			headers: {
				...(isLinks
					? { Authorization: `Bearer ${service.apiKey}` }
					: { 'X-API-Key': service.apiKey }),
				...(body !== undefined && { 'Content-Type': isText ? 'text/plain' : 'application/json' }),
			},
			body: body === undefined || isText ? body : JSON.stringify(body),
		});
		expect(response.status).toBe(200);
		const json = (await response.json()) as { error?: unknown; success?: unknown };
		expect(isLinks ? Number(json.error) === 0 : json.success).toBe(true);
		const schema = service.endpoints.find((other) => isTo(callOf(other), request))?.response;
		for (const answer of schema ? [json, documented] : []) {
			expect(schema!.safeParse(answer).error?.issues).toBeUndefined();
		}
	},
);

test('the OpenAPI documents match the sandbox (if not, run `npm run docs`)', async () => {
	const served = await fetch(`${sandbox.url}/openapi/links.json`);
	expect(await served.json()).toEqual(openApiOf(sandbox.links));
	for (const service of services()) {
		const file = join(__dirname, '..', '..', 'docs', 'openapi', `${service.name}.json`);
		expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual(openApiOf(service));
	}
});
