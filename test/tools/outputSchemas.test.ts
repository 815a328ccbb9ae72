import { CompanyRegistry } from '../../nodes/CompanyRegistry/CompanyRegistry.node.ts';
import { LinkManagement } from '../../nodes/LinkManagement/LinkManagement.node.ts';
import { isJson, type Json } from '../../nodes/shared/http/json';
import { operationsIn } from '../../nodes/shared/node/operation';
import { startSandbox, type Sandbox } from '../../sandbox';
import { outputSchemas } from '../../tools/package/outputSchemas';
import { linkManagementCases } from '../cases';
import { runNode } from '../engine/harness';

const schemas = outputSchemas(new LinkManagement().description);
const registrySchemas = outputSchemas(new CompanyRegistry().description);

let sandbox: Sandbox;
beforeAll(async () => {
	sandbox = await startSandbox({ links: { rateLimit: { limit: 1_000 } } });
});
afterAll(async () => await sandbox.close());

it('every operation of Link Management except API Request has an output schema', () => {
	const operations = operationsIn(new LinkManagement().description.properties).map(
		({ resource, option }) => `${resource}/${String(option.value)}`,
	);
	expect([...Object.keys(schemas), 'apiRequest/send'].sort()).toEqual(operations.sort());
});

const described = linkManagementCases.filter(({ operation }) => operation !== 'apiRequest.send');

it.each(described.map((each) => [each.operation, each] as const))(
	'the output schema of %s has the fields of its output, with their types',
	(operation, { isDocumented, output: [record = {}] }) => {
		const { properties } = schemas[operation.replace('.', '/')] as {
			properties: Record<string, { type: string | string[] }>;
		};
		for (const [name, value] of Object.entries(record)) {
			const type = Number.isInteger(value) ? 'integer' : typeof value;
			expect([name, [properties[name]?.type].flat()]).toEqual([
				name,
				expect.arrayContaining([type]),
			]);
		}
		if (isDocumented) expect(Object.keys(properties).sort()).toEqual(Object.keys(record).sort());
	},
);

it('the output schema of a campaign says that its rotator is a URL or false', () => {
	for (const operation of ['get', 'getAll', 'create', 'update', 'upsert']) {
		const { properties } = schemas[`campaign/${operation}`] as { properties: object };
		expect(properties).toMatchObject({ rotator: { type: ['string', 'boolean'] } });
	}
});

/** Raw full records, suggestions, the key's status and V1's search have no documented fields. */
const registryOperations: Array<[string, 'v1' | 'unversioned', Record<string, unknown>]> = [
	['company/enrich', 'v1', { columns: 'choose', companyIdno: '1000600900002', addCredit: true }],
	['company/get', 'v1', { idno: '1000600900002' }],
	['company/search', 'unversioned', { q: '1000600900002' }],
	['creditRecommendation/get', 'v1', { idno: '1000600900002' }],
	['idno/validate', 'v1', { idnoToValidate: '1000600900002' }],
];

it('every operation of Company Registry with documented fields has an output schema', () => {
	const names = registryOperations.map(([name]) => name);
	expect(Object.keys(registrySchemas).sort()).toEqual(names);
});

it.each(registryOperations)(
	'the output schema of %s has the fields of its output, raw or simplified',
	async (...row) => {
		const [name, variant, parameters] = row;
		const documented = fieldsOf(registrySchemas[name] as JsonSchema);
		const raw = shapeOf(await outputOf([name, variant, { ...parameters, output: 'raw' }]));
		const own = shapeOf(await outputOf(row));
		expect({ ...raw, ...own }).toMatchObject(documented);
		// The full record has more fields than the API documents.
		if (!name.endsWith('/get')) expect(own).toEqual(documented);
	},
);

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

/** Field names, including those of nested objects. */
interface Shape {
	[field: string]: Shape | true;
}

const fieldsOf = ({ properties }: JsonSchema) =>
	shape(properties ?? {}, (schema) => (schema as JsonSchema).properties);

const shapeOf = (record: Json) => shape(record, (value) => (isJson(value) ? value : undefined));

function shape(fields: object, nestedIn: (value: unknown) => object | undefined): Shape {
	const shapes = Object.entries(fields).map(([name, value]) => {
		const nested = nestedIn(value);
		return [name, nested ? shape(nested, nestedIn) : true];
	});
	return Object.fromEntries(shapes) as Shape;
}
