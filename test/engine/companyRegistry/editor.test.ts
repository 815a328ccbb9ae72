import { Workflow, type INodeParameters } from 'n8n-workflow';

import { searchList } from '../contexts';
import { node, nodeClasses, nodeTypes, PACKAGE } from '../harness';
import { registryAt, registryBench, VARIANTS, type RegistryBench } from '../support';

/** The hints that n8n's editor shows before the node runs. */
function hintsBeforeRun(parameters: INodeParameters): string[] {
	const subject = node('Subject', `${PACKAGE}.companyRegistry`, parameters);
	const workflow = new Workflow({ nodes: [subject], connections: {}, active: false, nodeTypes });
	const { hints = [] } = nodeClasses[subject.type]!.description;
	const isShown = (condition: string) =>
		workflow.expression.getSimpleParameterValue(subject, condition, 'internal', {}) === true;
	return hints
		.filter(({ displayCondition }) => isShown(displayCondition!))
		.map((each) => each.message);
}

const ENRICH = { resource: 'company', operation: 'enrich', columns: 'choose' };

it.each<[what: string, parameters: INodeParameters, hint: string | null]>([
	['no field is mapped', ENRICH, 'Fill in "IDNO" or "Name"'],
	['a heading is typed', { ...ENRICH, companyName: 'Firma' }, 'You typed a text'],
	['a heading is typed as an expression', { ...ENRICH, companyName: '=Firma' }, 'You typed a text'],
	['a column is mapped', { ...ENRICH, companyName: '={{ $json.Firma }}' }, null],
	[
		'a column is mapped beside a text',
		{ ...ENRICH, companyIdno: '1', companyName: '={{ $json.x }}' },
		null,
	],
	['columns are found automatically', { ...ENRICH, columns: 'auto' }, null],
	['another operation is set', { ...ENRICH, operation: 'search' }, null],
])('the editor says before the run what’s wrong with the mapping if %s', (_, parameters, hint) => {
	expect(hintsBeforeRun(parameters)).toEqual(hint === null ? [] : [expect.stringContaining(hint)]);
});

const search = async (
	{ credential }: Pick<RegistryBench, 'credential'>,
	filter?: string,
	token?: string,
) =>
	await searchList(
		'companyRegistry',
		'searchCompanies',
		{ companyRegistryApi: credential },
		{ filter, token },
	);

describe.each(VARIANTS)('Company picker (%s API)', (variant) => {
	it.each([undefined, '', '  ', 'Ag', ' Ag '])(
		'offers nothing to select instead of searching for %j',
		async (filter) => {
			const subject = await registryBench(variant);
			expect(await search(subject, filter)).toEqual({ results: [] });
			expect(subject.requests).toHaveLength(0);
		},
	);

	it('finds a company by an IDNO with spaces and a label', async () => {
		const subject = await registryBench(variant);
		const { idno } = subject.companies[0]!;
		const { results } = await search(subject, `IDNO: ${idno.slice(0, 4)} ${idno.slice(4)}`);
		expect(results.map(({ value }) => value)).toContain(idno);
	});

	it.each(['agro', 'agr', '100060'])(
		'finds companies with "%s" in one request, and shows IDNO, city and status',
		async (typed) => {
			const subject = await registryBench(variant);
			const { results } = await search(subject, typed);
			expect(subject.requests).toHaveLength(1);
			expect(subject.requests[0]!.query).toMatchObject({ q: typed, limit: '50' });
			expect(results.length).toBeGreaterThan(1);
			for (const { name, value } of results) {
				const company = subject.companies.find(({ idno }) => idno === value)!;
				const status =
					company.status === 'active' ? '' : `, ${company.status.replaceAll('_', ' ')}`;
				expect(name).toBe(`${company.name} (${value}), ${company.city}${status}`);
			}
		},
	);

	it('loads more companies, or shows the first 50 if the API variant has no pages', async () => {
		const subject = await registryBench(variant);
		const first = await search(subject, '100');
		expect(first.results).toHaveLength(50);
		if (variant === 'v1') {
			expect(first.paginationToken).toBeUndefined();
			expect(subject.requests[0]!.query).not.toHaveProperty('page');
		} else {
			const second = await search(subject, '100', String(first.paginationToken));
			const values = [...first.results, ...second.results].map(({ value }) => value);
			expect(new Set(values).size).toBe(100);
		}
	});
});

it('the company picker searches again for each text, and offers no company without an IDNO', async () => {
	const idno = '1003600015231';
	const subject = await registryAt(({ query }) => ({
		success: true,
		data: [{ name: 'Zefirul SRL' }, { idno, name: `${query.get('q')} SRL` }],
	}));
	for (const name of ['Agro', 'Lunca']) {
		const { results } = await search(subject, name);
		expect(results).toEqual([{ name: `${name} SRL (${idno})`, value: idno }]);
	}
});
