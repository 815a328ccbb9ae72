import type { INodeProperties, INodeTypeDescription } from 'n8n-workflow';

import { CompanyRegistry } from '../../nodes/CompanyRegistry/CompanyRegistry.node';
import { LinkCompanyTrigger } from '../../nodes/LinkCompanyTrigger/LinkCompanyTrigger.node';
import { LinkManagement } from '../../nodes/LinkManagement/LinkManagement.node';
import { operationsOf } from '../../tools/docs/description';
import { firstSentence } from '../../tools/docs/examples';
import { operationsTable } from '../../tools/docs/operations';
import { optionsTable, parametersTable } from '../../tools/docs/parameters';

const show = { operation: ['create'] };

function described(...properties: INodeProperties[]): INodeTypeDescription {
	return { properties } as INodeTypeDescription;
}

function rowsOf(table: string): string[][] {
	return table
		.split('\n')
		.slice(2)
		.map((row) => row.slice(2, -2).split(' | '));
}

describe('the table of parameters', () => {
	const selection = { operation: 'create' };

	it('says type, necessity, default and meaning in plain words', () => {
		const table = parametersTable(
			described(
				{
					displayName: 'Size',
					name: 'size',
					type: 'number',
					typeOptions: { minValue: 1, maxValue: 9 },
					default: 3,
					description: 'How large | wide',
					displayOptions: { show },
				},
				{
					displayName: 'Key',
					name: 'key',
					type: 'string',
					typeOptions: { password: true },
					required: true,
					default: '',
					placeholder: 'e.g. abc',
					displayOptions: { show },
				},
			),
			selection,
		);
		expect(table.split('\n').slice(2)).toEqual([
			'| Size | number from 1 to 9 |  | 3 | How large \\| wide. |',
			'| Key | text, hidden | yes |  | E.g. abc |',
		]);
	});

	it('has the fields of a collection below it, and neither notices nor fields of others', () => {
		const table = parametersTable(
			described(
				{
					displayName: 'Mind',
					name: 'mind',
					type: 'notice',
					default: '',
					displayOptions: { show },
				},
				{
					displayName: 'More',
					name: 'more',
					type: 'collection',
					default: {},
					displayOptions: { show: { operation: ['create', 'update'] } },
					options: [
						{ displayName: 'Color', name: 'color', type: 'color', default: '#000000' },
						{
							displayName: 'Name',
							name: 'name',
							type: 'string',
							default: '',
							displayOptions: { show: { '/operation': ['update'] } },
						},
					],
				},
				{
					displayName: 'Id',
					name: 'id',
					type: 'string',
					default: '',
					displayOptions: { show: { operation: ['update'] } },
				},
			),
			selection,
		);
		expect(rowsOf(table).map(([name]) => name)).toEqual(['More', 'More → Color']);
	});

	it('explains choices, and the field on which a field depends', () => {
		const table = parametersTable(
			described(
				{
					displayName: 'Kind',
					name: 'kind',
					type: 'options',
					default: 'a',
					displayOptions: { show },
					options: [
						{ name: 'A Kind', value: 'a', description: 'One' },
						{ name: 'B Kind', value: 'b', description: 'Other' },
					],
				},
				{
					displayName: 'Which',
					name: 'which',
					type: 'string',
					default: '',
					displayOptions: { show: { ...show, kind: ['b'] } },
				},
			),
			selection,
		);
		expect(rowsOf(table)).toEqual([
			['Kind', 'choice', '', 'A Kind', '*A Kind*: One<br>*B Kind*: Other'],
			['Which', 'text', '', '', 'Shown when *Kind* is B Kind.'],
		]);
	});

	it('has every parameter of the nodes in some selection', () => {
		const descriptions = [new LinkManagement().description, new CompanyRegistry().description];
		for (const description of descriptions) {
			const tables = operationsOf(description).map(({ selection: each }) =>
				parametersTable(description, each),
			);
			expect(missingIn(description, tables.join('\n'))).toEqual([]);
		}
		const trigger = new LinkCompanyTrigger().description;
		const events = ['fileCreated', 'qrCodeScanned', 'companyStatusChanged', 'companyFound'];
		const tables = events.map((event) => parametersTable(trigger, { event }));
		expect(missingIn(trigger, tables.join('\n'))).toEqual([]);
	});
});

/** What the pages are divided by, and what has a table of its own. */
const ELSEWHERE = ['resource', 'operation', 'event', 'options'];

/** Parameters that no table contains. */
function missingIn({ properties }: INodeTypeDescription, tables: string): string[] {
	return properties
		.filter(({ name, type }) => !['notice', 'hidden'].includes(type) && !ELSEWHERE.includes(name))
		.map(({ displayName }) => displayName)
		.filter((name) => !tables.includes(`| ${name} |`));
}

describe('the table of options', () => {
	it('says which selections offer an option', () => {
		const options: INodeProperties = {
			displayName: 'Options',
			name: 'options',
			type: 'collection',
			default: {},
			options: [
				{ displayName: 'Everywhere', name: 'a', type: 'boolean', default: true },
				{
					displayName: 'Here',
					name: 'b',
					type: 'boolean',
					default: false,
					displayOptions: { show: { '/event': ['one'] } },
				},
				{
					displayName: 'Not Here',
					name: 'c',
					type: 'boolean',
					default: false,
					displayOptions: { hide: { '/event': ['one'] } },
				},
			],
		};
		const selections = ['one', 'two', 'three'].map((event) => [event, { event }] as const);
		const rows = rowsOf(optionsTable(described(options), selections));
		expect(rows.map(([name, , , by]) => [name, by])).toEqual([
			['Everywhere', 'all'],
			['Here', 'one'],
			['Not Here', 'all but one'],
		]);
	});
});

describe('the table of operations', () => {
	it('shows the paths of both variants', () => {
		expect(operationsTable(new CompanyRegistry().description)).toContain(
			'`GET /api/v1/search`, `GET /api/search`',
		);
	});
});

describe('the first sentence of a note', () => {
	it.each([
		['## Title\n\nOne thing. Another.', 'One thing.'],
		['## Title\nTo do, e.g. this: a thing. More.', 'To do, e.g. this: a thing.'],
		['No end', 'No end'],
	])('%j is %j', (note, sentence) => {
		expect(firstSentence(note)).toBe(sentence);
	});
});
