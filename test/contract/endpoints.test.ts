import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { CompanyRegistry } from '../../nodes/CompanyRegistry/CompanyRegistry.node';
import { LinkManagement } from '../../nodes/LinkManagement/LinkManagement.node';
import { operationsIn } from '../../nodes/shared/node/operation';
import { CASES, type NodeName, type OperationCase } from '../cases';
import { anonymous, isTo } from '../cases/operationCase';

const DOCS = join(__dirname, '..', '..', 'docs');
const services = readFileSync(join(DOCS, 'maintainers', 'services.md'), 'utf8');

/** The part of an OpenAPI schema that docs/maintainers/services.md shows. */
interface Schema {
	properties?: Record<string, Schema>;
	required?: string[];
	items?: Schema;
}

interface Described {
	parameters: Array<{ name: string; in: 'path' | 'query'; required: boolean }>;
	requestBody?: { content: Record<string, { schema: Schema }> };
	responses: Record<string, { content?: Record<string, { schema: Schema }> }>;
}

/** A table of docs/maintainers/services.md: for each cell of each row, the words in backticks, `**` if bold. */
function tableOf(heading: string): string[][][] {
	const [, section = ''] = services.split(`## ${heading}\n`);
	const rows = section.split('\n## ')[0]!.match(/^\|.*\|$/gm) ?? [];
	const cells = (row: string) => row.split('|').slice(1, -1);
	return rows
		.slice(2)
		.map((row) =>
			cells(row).map((cell) =>
				[...cell.matchAll(/(\*\*)?`([^`]+)`/g)].map(([, bold = '', word = '']) => bold + word),
			),
		);
}

const wordsOf = (cell: string[] = []) => cell.map((word) => word.replace('**', '')).sort();

const MARKS = ['error', 'success'];
const COUNTERS = ['result', 'perpage', 'currentpage', 'nextpage', 'maxpage'];

/** A response's fields as docs/maintainers/services.md shows them: `id`, or `data.campaigns` for a list. */
function returned(schema: Schema = {}): string[] {
	const own = (of: Schema) =>
		Object.keys(of.properties ?? {}).filter((name) => ![...MARKS, ...COUNTERS].includes(name));
	return own(schema).flatMap((name) => {
		const inside = schema.properties?.[name];
		const isList = inside?.properties?.nextpage !== undefined;
		return isList ? own(inside).map((each) => `${name}.${each}`) : [name];
	});
}

/** The fields of each record in a schema, including records in lists. */
function recordsIn({ properties = {}, items }: Schema = {}): string[][] {
	const names = Object.keys(properties).filter((name) => !MARKS.includes(name));
	const inside = [...Object.values(properties), ...(items ? [items] : [])];
	return [names.sort(), ...inside.flatMap(recordsIn)];
}

const described = (...files: string[]) =>
	new Map(
		files.flatMap((file) => {
			const text = readFileSync(join(DOCS, 'openapi', `${file}.json`), 'utf8');
			const { paths } = JSON.parse(text) as { paths: Record<string, Record<string, Described>> };
			return Object.entries(paths).flatMap(([path, methods]) =>
				Object.entries(methods).map(
					([method, call]) => [anonymous(`${method.toUpperCase()} ${path}`), call] as const,
				),
			);
		}),
	);

const schemaIn = (content?: Record<string, { schema: Schema }>) =>
	content?.['application/json']?.schema;

describe.each<[string, NodeName, LinkManagement | CompanyRegistry, string[]]>([
	['Link Management', 'linkManagement', new LinkManagement(), ['links']],
	[
		'Company Registry',
		'companyRegistry',
		new CompanyRegistry(),
		['registry.v1', 'registry.unversioned'],
	],
])('%s endpoints in docs/maintainers/services.md', (service, node, { description }, files) => {
	const openApi = described(...files);
	const rows = tableOf(`${service}: endpoints`).map(
		([[endpoint = ''] = [], sends, returns]) => [endpoint, sends, returns] as const,
	);
	const cases = CASES[node].filter(({ isDocumented }) => isDocumented);
	const requestOf = ({ exchanges }: OperationCase) => exchanges[0]!.request;

	test('lists the same endpoints as the OpenAPI documents, the operations and their cases', () => {
		const documented = rows.map(([endpoint]) => anonymous(endpoint)).sort();
		expect([...openApi.keys()].sort()).toEqual(documented);
		const called = operationsIn(description.properties).flatMap(({ operation }) =>
			operation.endpoints.map(({ method, path }) => anonymous(`${method} ${path}`)),
		);
		expect([...new Set(called)].sort()).toEqual(documented);
		expect(cases).toHaveLength(documented.length);
	});

	test.each(rows)(
		'%s has the same fields in docs/maintainers/services.md and OpenAPI',
		(endpoint, sends, returns) => {
			const { parameters, requestBody, responses } = openApi.get(anonymous(endpoint))!;
			const query = parameters.filter((parameter) => parameter.in === 'query');
			const body = schemaIn(requestBody?.content);
			const required = [
				...query.filter((parameter) => parameter.required).map(({ name }) => name),
				...(body?.required ?? []),
			];
			const fields = [...query.map(({ name }) => name), ...Object.keys(body?.properties ?? {})];
			const marked = fields.map((name) => (required.includes(name) ? `**${name}` : name));
			expect(marked.sort()).toEqual([...(sends ?? [])].sort());
			expect(returned(schemaIn(responses['200']?.content)).sort()).toEqual(wordsOf(returns));
		},
	);

	test.each(rows)('the case for %s sends every documented field', (endpoint, sends) => {
		const [each, ...more] = cases.filter((one) => isTo(endpoint, requestOf(one)));
		expect(more).toEqual([]);
		expect(sentBy(each!)).toEqual(wordsOf(sends));
	});

	const records = tableOf(`${service}: records`).map(([, fields]) => wordsOf(fields));

	test.each(records.map((fields) => [fields.join(', '), fields] as const))(
		'the record with the fields %s is in the OpenAPI document',
		(_, fields) => {
			const all = [...openApi.values()].flatMap(({ responses }) =>
				recordsIn(schemaIn(responses['200']?.content)),
			);
			expect(all.map((each) => each.join(', '))).toContain(fields.join(', '));
		},
	);
});

/** The fields that a case's request sends in its query and JSON body. */
function sentBy({ exchanges: [exchange] }: OperationCase): string[] {
	const { searchParams } = new URL(exchange!.request.split(' ')[1]!, 'http://localhost');
	const body = typeof exchange!.body === 'object' ? (exchange!.body as object) : {};
	return [...searchParams.keys(), ...Object.keys(body)].sort();
}
