import fc from 'fast-check';

import { wantedCompany as wanted } from '../../../nodes/CompanyRegistry/names/compare';
import { candidateOf, contradictionsOf, decide } from '../../../nodes/CompanyRegistry/names/decide';

const company = (idno: string, name: string, city?: string) => candidateOf({ idno, name, city })!;

const idno = (number: number) => String(1_000_000_000_000 + number);

const recordOf = (number: number, fields: object) =>
	candidateOf({ idno: idno(number), name: 'Zefirul SRL', ...fields })!;

describe('decide', () => {
	it('picks the same company whatever the order of the candidates', () => {
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

	it('marks a row as ambiguous if several companies match equally well', () => {
		const all = [company(idno(1), 'Zefirul'), company(idno(2), 'ZEFIRUL')];
		const decision = decide(wanted('Zefirul'), [...all, company(idno(3), 'Zefirul Vin')]);
		expect(decision).toMatchObject({ ambiguous: true, score: 1 });
		expect(decision.found).toBeUndefined();
		expect(decision.alternatives.map((each) => each.idno)).toEqual([idno(1), idno(2)]);
	});

	it('marks a row as ambiguous if two companies differ from it a little, each in another way', () => {
		const all = [company(idno(1), 'Zefirul Valmora'), company(idno(2), 'Valmorazefirul')];
		expect(decide(wanted('Valmora Zefirul'), all).ambiguous).toBe(true);
		for (const each of all) expect(decide(wanted('Valmora Zefirul'), [each]).found).toBeDefined();
	});

	it('picks the only candidate that the registry places in the row’s city', () => {
		const here = company(idno(1), 'Zefirul SRL', 'Cahul');
		const unknown = company(idno(2), 'Zefirul');
		expect(decide(wanted('Zefirul', 'Cahul'), [here, unknown]).found).toMatchObject(here);
		expect(decide(wanted('Zefirul, Cahul'), [here, unknown]).found).toMatchObject(here);
		expect(decide(wanted('Zefirul SRL'), [here, unknown]).ambiguous).toBe(true);
	});

	it.each([
		['city', [{ city: 'Cahul', region: '' }, { city: 'Orhei' }]],
		[
			'city',
			[
				{ city: 'Peresecina', region: 'Orhei' },
				{ city: 'Susleni', region: 'Orhei' },
			],
		],
		[
			'city or region',
			[
				{ city: 'Cahul', region: 'Cahul' },
				{ city: 'Leova', region: 'Leova' },
			],
		],
		['city', [{ city: 'Cahul' }, { city: 'Cahul' }, { city: 'Orhei' }]],
		['legal form', [{ legal_form: 'SRL' }, { legal_form: 'SA' }]],
		['city or legal form', [{ city: 'Cahul', legal_form: 'SRL' }, { legal_form: 'SA' }]],
		[
			'IDNO',
			[
				{ city: 'Cahul', legal_form: 'SRL' },
				{ city: 'CAHUL', legal_form: 'S.R.L.' },
			],
		],
		['IDNO', [{ legal_form: 'SRL' }, {}]],
		['legal form', [{ name: 'Ragob SRL' }, { name: 'Ragob SA' }]],
	])('the reason says that the %s tells the companies %j apart', (advice, fields) => {
		const all = fields.map((each, index) =>
			candidateOf({ idno: idno(index), name: 'Ragob', ...each })!,
		);
		expect(decide(wanted('Ragob'), all).reason).toBe(
			`${all.length} companies match equally well. The company's ${advice} tells them apart.`,
		);
	});

	it('counts only the companies in the row’s town, if there are several', () => {
		const here = [1, 2].map((number) => company(idno(number), 'Zefirul SRL', 'Cahul'));
		const decision = decide(wanted('Zefirul', 'Cahul'), [...here, company(idno(3), 'Zefirul')]);
		expect(decision.reason).toMatch(/^2 companies match equally well\./);
		expect(decision.alternatives).toHaveLength(2);
	});

	it('treats two spellings with the same IDNO as one company', () => {
		const all = [company(idno(1), 'Ragob SRL'), company(idno(1), 'RAGOB S.R.L.')];
		const decision = decide(wanted('Ragob'), all);
		expect(decision).toMatchObject({ found: { idno: idno(1) }, ambiguous: false, reason: null });
		expect(decision.alternatives).toEqual([]);
	});

	it.each([
		['a mapped city', 'Zefirul', 'Orhei'],
		['a city in Russian', 'Zefirul', 'г. Оргеев'],
		['a city after the name', 'Zefirul SRL, Orhei', ''],
	])('picks the company in the row’s town, given as %s', (_, name, city) => {
		const addresses = [
			'str. Orhei 5, or. Cahul',
			'or. Orhei, str. Cahul 3',
			'r-nul Orhei, s. Peresecina',
		];
		const byAddress = addresses.map((address, index) => recordOf(index, { address }));
		expect(decide(wanted(name, city), byAddress).found?.idno).toBe(idno(1));
		const byCity = [
			recordOf(0, { City: 'Cahul' }),
			recordOf(1, { registry: { city: 'Orhei', region: 'Orhei' } }),
			recordOf(2, { city: 'Peresecina', region: 'Orhei' }),
		];
		expect(decide(wanted(name, city), byCity).found?.idno).toBe(idno(1));
	});

	it('picks the company in the row’s village over the one in the district’s main town', () => {
		const all = [
			recordOf(0, { city: 'Orhei', region: 'Orhei' }),
			recordOf(1, { city: 'Peresecina', region: 'Orhei' }),
		];
		expect(decide(wanted('Zefirul', 's. Peresecina, Orhei'), all).found?.idno).toBe(idno(1));
		expect(decide(wanted('Zefirul', 'Пересечина'), all).found?.idno).toBe(idno(1));
		expect(decide(wanted('Zefirul', 'r-nul Orhei'), all).ambiguous).toBe(true);
	});

	it('names the closest company if none is similar enough', () => {
		const decision = decide(wanted('Zefirul Vin'), [company(idno(1), 'Zefirul S.R.L.')]);
		expect(decision.found).toBeUndefined();
		expect(decision).toMatchObject({
			reason:
				'No name is similar enough. The closest is Zefirul S.R.L. The registered name doesn\'t contain "Vin".',
			alternatives: [{ idno: idno(1) }],
		});
	});

	it('says that the name matches if only the legal form or the place differs', () => {
		const { reason } = decide(wanted('Zefirul SA'), [company(idno(1), 'Zefirul S.R.L.')]);
		expect(reason).toBe(
			'Zefirul S.R.L. has a matching name, but may be another company. The legal forms differ: SA and SRL.',
		);
	});

	it('picks the company that differs less', () => {
		const all = [company(idno(1), 'Valmora Lucoria'), company(idno(2), 'Lucoria Valmora')];
		expect(decide(wanted('Lukoria Valmora'), all).found?.idno).toBe(idno(2));
	});

	it('lists similar companies, even without an IDNO, but no company that shares no word with the row', () => {
		const all = ['Zefirul Vin', 'Zefirul Alb', 'Lunca'].map((name) => candidateOf({ name })!);
		const { alternatives } = decide(wanted('Zefirul'), all);
		expect(alternatives.map(({ title }) => title).sort()).toEqual(['Zefirul Alb', 'Zefirul Vin']);
	});

	it('takes a company with a misspelled word for closer, and then one in the row’s town', () => {
		const all = [
			company(idno(0), 'Lunalba Soft Nord Vest', 'Orhei'),
			company(idno(1), 'Lunalba Gastro'),
			company(idno(2), 'Lunalba Soft', 'Cahul'),
			company(idno(3), 'Lunalba Soft', 'Orhei'),
		];
		const { alternatives } = decide(wanted('Lunalba Sofft', 'Orhei'), all);
		expect(alternatives.map((each) => each.idno)).toEqual([idno(3), idno(2), idno(0), idno(1)]);
	});
});

describe('contradictionsOf', () => {
	it.each([
		['Zefor SRL', 'Zefir SRL', 'a typo'],
		['Ze-for SRL', 'Zefir SRL', 'a typo'],
		['Zefora SRL', 'Zefir SRL', 'another name'],
		['Zefi SRL', 'Zefir SRL', 'another name'],
		['Zefir 5 SRL', 'Zefir 6 SRL', 'another name'],
	])('in a row with the company’s IDNO, "%s" for "%s" is %s', (row, name, is) => {
		const kinds = (isNumbered: boolean) =>
			contradictionsOf(wanted(row), { name }, { isNumbered }).map(({ kind }) => kind);
		expect(kinds(true)).toEqual(is === 'a typo' ? [] : ['words']);
		expect(kinds(false)).toEqual(['words']);
	});
});
