import fc from 'fast-check';
import type { IDataObject } from 'n8n-workflow';

import { without } from '../../../nodes/shared/http/json';
import { withCheckDigit } from '../support';
import { ModelRegistry, runNight, type Company } from './nightModel';

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

/** Enriches rows from a registry whose search distinguishes diacritics. */
function registryWith(named: IDataObject[]) {
	const registry = new ModelRegistry();
	for (const [index, company] of named.entries()) {
		const idno = withCheckDigit(String(100_000_000_000 + index));
		registry.companies.set(idno, { idno, ...company } as Company);
	}
	return async (rows: IDataObject[], minScore = 'strong') => {
		registry.begin({ quota: Infinity });
		const results = await runNight(registry, rows, { minScore });
		return results.rows.map((row) => without(row, 'registry_checked_at', 'registry_state'));
	};
}

const RUNS = { numRuns: process.env.ALL_SEARCHES ? 40 : 12 };

describe('Enrich with any rows and companies', () => {
	it('gives a row the same result alone and among other rows', async () => {
		await fc.assert(
			fc.asyncProperty(companiesOf, rowsOf, async (companies, rows) => {
				const enrich = registryWith(companies);
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
				const enrich = registryWith(companies);
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
