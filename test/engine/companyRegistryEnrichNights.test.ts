import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { without } from '../../nodes/shared/http/envelope';
import { jsonOf } from './harness';
import { continuing, itemsOf, registryAt, registryOf, withCheckDigit } from './support';

const COMPANIES = Array.from({ length: 30 }, (_, index) => ({
	idno: withCheckDigit(String(100_000_000_000 + index)),
	name: `Zefirul${String.fromCharCode(97 + (index % 26), 97 + Math.floor(index / 26))} SRL`,
	status: 'active',
}));

/** How a service can say that the quota is used up. */
const REFUSALS = [
	{ status: 429, body: { success: false } },
	{ status: 403, body: { success: false, message: 'Daily quota exceeded' } },
].map((refusal) => ({
	...refusal,
	headers: { 'retry-after': 40_000, 'x-ratelimit-remaining': 0 },
}));

/**
 * Enriches a table every night with a daily quota, and writes the results back into the table.
 *
 * @returns the number of rows that each night finished, the answered requests, and the table
 */
async function enrichNightly(
	rows: IDataObject[],
	quota: number,
	parameters: INodeParameters,
	refusal: object,
) {
	const answer = registryOf(COMPANIES);
	const finished: number[] = [];
	const answered: string[] = [];
	let table = rows;
	const isOpen = (row: IDataObject) => (row.company_checkedAt ?? null) === null;
	for (let night = 0; table.some(isOpen) && night < 30; night++) {
		let left = quota;
		const { run, credential } = await registryAt((request) => {
			if (left-- <= 0) return refusal;
			answered.push(`${request.path}?${request.query.get('q') ?? ''}`);
			return answer(request);
		}, 'v1');
		const node = {
			...{ resource: 'company', operation: 'enrich', ...parameters },
			options: { skipRowsCheckedWithin: 30, ...(parameters.options as INodeParameters) },
		};
		const before = table.filter(isOpen).length;
		const { items, error } = await run(node, {
			items: itemsOf(...table),
			credentials: { companyRegistryApi: { ...credential, requestsPerDay: quota } },
			...continuing,
		});
		expect(error).toBeUndefined();
		table = jsonOf(items).map((row) => without(row, 'matchStatus') as IDataObject);
		finished.push(before - table.filter(isOpen).length);
	}
	return { finished, answered, table };
}

describe('Enrich with a list larger than the daily quota', () => {
	const byIdno = COMPANIES.map(({ idno }) => ({ IDNO: idno }));
	// No registered name contains "Comert", so each row needs a second search.
	const byName = COMPANIES.map(({ name }) => ({ Firma: name.replace('SRL', 'Comert') }));
	const byFallback = COMPANIES.map(({ name }, index) => ({
		...{ IDNO: withCheckDigit(String(199_999_000_000 + index)), Firma: name },
	}));

	// At least half of the rows that a night's quota is enough for are finished, even on a slow machine.
	it.each<[string, IDataObject[], quota: number, requestsPerRow: number, INodeParameters]>([
		['by IDNO', byIdno, 12, 1, {}],
		['by IDNO with the recommendation', byIdno, 15, 2, { addCredit: true }],
		['by IDNO with the recommendation and a larger quota', byIdno, 30, 2, { addCredit: true }],
		['by name with two searches per row', byName, 18, 2, {}],
		['with a quota of three requests', byIdno.slice(0, 8), 3, 2, { addCredit: true }],
		[
			'with three requests per row',
			byFallback,
			24,
			3,
			{ addCredit: true, options: { nameAsFallback: true } },
		],
	])('finishes whole rows every night until all are done, %s', async (...row) => {
		const [, rows, quota, requestsPerRow, parameters] = row;
		for (const refusal of REFUSALS) {
			const nightly = await enrichNightly(rows, quota, parameters, refusal);
			const { finished, answered, table } = nightly;
			expect(table.every(({ company_checkedAt: at }) => typeof at === 'string')).toBe(true);
			const least = Math.ceil(Math.floor(quota / requestsPerRow) / 2);
			expect(Math.min(...finished.slice(0, -1))).toBeGreaterThanOrEqual(least);
			expect(finished.reduce((sum, count) => sum + count, 0)).toBe(rows.length);
			// No recommendation is requested twice.
			const credits = answered.filter((path) => path.includes('/credit/'));
			expect(new Set(credits).size).toBe(credits.length);
			expect(credits).toHaveLength(parameters.addCredit ? rows.length : 0);
		}
	});
});
