import fc from 'fast-check';
import type { IDataObject } from 'n8n-workflow';

import { itemsOf, recordsOf, registryAt, withCheckDigit } from '../support';

/** Includes names of JavaScript's own properties, and pairs that differ only in diacritics. */
const WORDS = [
	...['Valmora', 'Vălmora', 'Salcia', 'Sălcia', 'Zefirul', 'Nord', 'Agro', 'Construct'],
	...['Constructor', 'toString', '__proto__', 'hasOwnProperty', 'valueOf', 'D.A.C.', 'panda.md'],
];
const FORMS = ['SRL', 'S.R.L.', 'SA', ''];
const CITIES = ['Orhei', 'Cahul', 'Орхей', 'constructor', ''];

const nameOf = fc
	.tuple(
		fc.uniqueArray(fc.constantFrom(...WORDS), { minLength: 1, maxLength: 3 }),
		fc.constantFrom(...FORMS),
	)
	.map(([words, form]) => [...words, form].join(' ').trim());

const companiesOf = fc.array(
	fc.record({ name: nameOf, city: fc.constantFrom(...CITIES), status: fc.constant('active') }),
	{ minLength: 1, maxLength: 6 },
);
const rowsOf = fc.array(
	fc.record({
		company: nameOf,
		city: fc.constantFrom(...CITIES),
		// The second one has a wrong check digit, so the row falls back to its name.
		idno: fc.constantFrom('', '1003600015230'),
	}),
	{ minLength: 2, maxLength: 4 },
);

/** A registry whose search distinguishes diacritics. */
async function registryWith(named: IDataObject[]) {
	const companies = named.map((company, index): IDataObject => ({
		idno: withCheckDigit(String(100_000_000_000 + index)),
		...company,
	}));
	const { run } = await registryAt(({ query }) => {
		const words = (query.get('q') ?? '').toLowerCase().split(' ');
		const data = companies.filter((company) =>
			words.every((word) => String(company.name).toLowerCase().includes(word)),
		);
		return { success: true, total: data.length, page: 1, per_page: 50, data };
	});
	return async (rows: IDataObject[], minScore = 'strong') => {
		const node = { resource: 'company', operation: 'enrich', minScore };
		const records = recordsOf(await run(node, { items: itemsOf(...rows) }));
		return records.map(
			(record) => ({ ...record, registry_checked_at: 'now', registry_state: 'now' }) as IDataObject,
		);
	};
}

const RUNS = { numRuns: process.env.ALL_SEARCHES ? 40 : 12 };

describe('Enrich with any rows and companies', () => {
	it('gives a row the same result alone and among other rows', async () => {
		await fc.assert(
			fc.asyncProperty(companiesOf, rowsOf, async (companies, rows) => {
				const enrich = await registryWith(companies);
				const together = await enrich(rows);
				for (const [index, row] of rows.entries()) {
					expect(await enrich([row])).toEqual([together[index]]);
				}
			}),
			RUNS,
		);
	});

	it('never loses or changes a company when Minimum Match is lowered', async () => {
		await fc.assert(
			fc.asyncProperty(companiesOf, rowsOf, async (companies, rows) => {
				const enrich = await registryWith(companies);
				const [exact, strong, likely] = await Promise.all(
					['exact', 'strong', 'likely'].map(async (level) => await enrich(rows, level)),
				);
				for (const [stricter, laxer] of [
					[exact, strong],
					[strong, likely],
				]) {
					for (const [index, row] of stricter!.entries()) {
						const { match_status: status, registry_idno } = row;
						if (status === 'found') expect(laxer![index]).toMatchObject({ registry_idno });
					}
				}
			}),
			RUNS,
		);
	});
});
