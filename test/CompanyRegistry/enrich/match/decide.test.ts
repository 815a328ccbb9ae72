import fc from 'fast-check';

import { wantedCompany as wanted } from '../../../../nodes/CompanyRegistry/enrich/match/compare';
import { candidateOf, decide } from '../../../../nodes/CompanyRegistry/enrich/match/decide';

const company = (idno: string, name: string, city?: string) => candidateOf({ idno, name, city })!;

const idno = (number: number) => String(1_000_000_000_000 + number);

describe('the decision', () => {
	it('is the same whatever the order of the candidates', () => {
		const names = ['Zefir SRL', 'ZEFIR S.A.', 'Zefirr', 'Zefir Vin', 'Zeffir'];
		const candidate = fc
			.tuple(fc.integer({ min: 1, max: 99 }), fc.constantFrom(...names))
			.map(([number, name]) => company(idno(number), name));
		const list = fc.uniqueArray(candidate, { maxLength: 8, selector: (each) => each.idno });
		fc.assert(
			fc.property(
				list.chain((all) =>
					fc.tuple(
						fc.constant(all),
						fc.shuffledSubarray(all, { minLength: all.length, maxLength: all.length }),
					),
				),
				([all, shuffled]) => {
					expect(decide(wanted('zefir'), shuffled)).toEqual(decide(wanted('zefir'), all));
				},
			),
		);
	});

	it('is an exact match before a strong one', () => {
		const all = [company(idno(1), 'Zefirul Mare'), company(idno(2), 'Zefirrul Mare')];
		expect(decide(wanted('Zefirul Mare'), all)).toMatchObject({
			found: { idno: idno(1) },
			ambiguous: false,
			reason: null,
		});
	});

	it('is none between companies that match equally well', () => {
		const all = [company(idno(1), 'Zefirul'), company(idno(2), 'ZEFIRUL')];
		const decision = decide(wanted('Zefirul'), all);
		expect(decision).toMatchObject({ ambiguous: true, score: 1 });
		expect(decision.found).toBeUndefined();
		expect(decision.alternatives.map((each) => each.idno)).toEqual([idno(1), idno(2)]);
	});

	it('is the one in the row’s city or with its legal form, if the others give neither', () => {
		const here = company(idno(1), 'Zefirul SRL', 'Cahul');
		const unknown = company(idno(2), 'Zefirul');
		expect(decide(wanted('Zefirul', 'Cahul'), [here, unknown]).found).toMatchObject(here);
		expect(decide(wanted('Zefirul, Cahul'), [here, unknown]).found).toMatchObject(here);
		expect(decide(wanted('Zefirul', '', 'SRL'), [here, unknown]).found).toMatchObject(here);
		expect(decide(wanted('Zefirul'), [here, unknown]).ambiguous).toBe(true);
	});

	it('takes a word of another company for a word and not for a typo', () => {
		const misspelled = company(idno(1), 'Panivest Trans');
		expect(decide(wanted('Pannivest Trans'), [misspelled], 0.6).found).toBeDefined();
		const others = [misspelled, company(idno(2), 'Pannivest Agro')];
		expect(decide(wanted('Pannivest Trans'), others, 0.6).found).toBeUndefined();
	});

	it('is none below the minimum, whatever the number', () => {
		const all = [company(idno(1), 'Zefirul')];
		for (const [minimum, name] of [
			[1, 'Zefirul Moldova'],
			[0.8, 'Zefirrul'],
			[0, 'Zefirul Vin'],
		] as const) {
			expect(decide(wanted(name), all, minimum).found).toBeUndefined();
		}
		expect(decide(wanted('Zefirrul'), all)).toMatchObject({
			reason:
				'No sufficiently similar name found. The most similar is Zefirul. "Zefirrul" is spelled "Zefirul" in the registry.',
			alternatives: [{ idno: idno(1) }],
		});
	});
});
