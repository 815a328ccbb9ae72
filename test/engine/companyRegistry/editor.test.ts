import { searchList } from '../contexts';

import { registryBench, VARIANTS, type RegistryBench } from '../support';

const search = async ({ credential }: RegistryBench, filter?: string, token?: string) =>
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

	it.each(['agro', '100060'])(
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
