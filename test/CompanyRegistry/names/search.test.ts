import fc from 'fast-check';

import { LEAST_SCORE, wantedCompany } from '../../../nodes/CompanyRegistry/names/compare';
import {
	applyMinimum,
	queriesFor,
	searchByName,
} from '../../../nodes/CompanyRegistry/names/search';
import type { ResultPage, Search } from '../../../nodes/CompanyRegistry/names/search';
import { fold } from '../../../nodes/CompanyRegistry/names/words';
import type { Json } from '../../../nodes/shared/http/json';
import { linesOf } from '../../pairs';

const ROWS_PER_PAGE = 2;

/** A service that returns these names for any query, and the queries it received. */
function service(names: string[], pages = true) {
	const asked: string[] = [];
	const search = async (query: string, page: number): Promise<ResultPage> => {
		asked.push(`${query} ${page}`);
		const rows: Json[] = names
			.map((name, index) => ({ idno: String(1_000_000_000_000 + index), name }))
			.slice((page - 1) * ROWS_PER_PAGE, page * ROWS_PER_PAGE);
		const hasMore = page * ROWS_PER_PAGE < names.length;
		const next = pages ? 'next page' : 'cut off';
		return { rows, more: hasMore ? next : 'none' };
	};
	return { search, asked };
}

async function searchFor(row: string, names: string[], pages = true) {
	const { search, asked } = service(names, pages);
	const result = await searchByName(wantedCompany(row), search);
	return { result: applyMinimum(result, LEAST_SCORE.strong), asked };
}

describe('queriesFor', () => {
	it.each(linesOf('queries.txt'))('searches for "$left" with "$right"', ({ left, right }) => {
		expect(queriesFor(wantedCompany(left)).join(' · ')).toBe(right);
	});

	it('searches for nothing if a name is only punctuation or contact details', () => {
		expect(queriesFor(wantedCompany('„”'))).toEqual([]);
		expect(queriesFor(wantedCompany('office@valmora.md'))).toEqual([]);
	});
});

describe('searchByName', () => {
	it.each<[string, row: string, names: string[], sent: string[]]>([
		['stops after an exact match', 'Zefirul', ['Zefirul SRL'], ['zefirul 1']],
		[
			'reads the next page for namesakes while the results contain every word of the name',
			'Zefirul',
			['Zefirul', 'Zefirul Agro', 'Zefirul Vin', 'ZEFIRUL'],
			['zefirul 1', 'zefirul 2'],
		],
		[
			'searches for the rarest word once the results lack a word of the name, and for no more',
			'Zefirul Vin',
			['Zefirul Alb', 'Agro Vin', 'Auto Vin'],
			['zefirul vin 1', 'zefir 1'],
		],
		[
			'reads the next page if a name with every word of the row follows one without',
			'Zefirul Vin',
			['Agro Vin', 'Zefirul Vin Alb', 'Zefirul Vin'],
			['zefirul vin 1', 'zefirul vin 2'],
		],
	])('%s', async (_, row, names, sent) => {
		const { result, asked } = await searchFor(row, names);
		expect(asked).toEqual(sent);
		expect(result.ambiguous).toBe(sent.includes('zefirul 2'));
	});

	it('says in the reason that some results were not read', async () => {
		const names = ['Zefirul Agro', 'Zefirul Vin', 'Zefirul'];
		const { result, asked } = await searchFor('Zefirul', names, false);
		expect(result.reason).toMatch(/^No name is similar enough.*more results than the node read\.$/);
		expect(asked).toEqual(['zefirul 1', 'zefir 1']);
		const found = await searchFor('Zefirul', ['Zefirul', 'Zefirul Agro', 'Zefirul Vin'], false);
		expect(found.result).toMatchObject({ found: { quality: 'exact' } });
		expect(found.result.reason).toMatch(/there may be another company with this name/);
	});

	/** Searches for "Valmora Vin" in a registry that finds other companies for each of the two queries. */
	const searchTwice = async (first: ResultPage, second: ResultPage) => {
		const search = async (query: string) => (query === 'valmora vin' ? first : second);
		const result = await searchByName(wantedCompany('Valmora Vin'), search);
		return applyMinimum(result, LEAST_SCORE.strong);
	};
	const similar = { idno: '1000000000001', name: 'Vin Valmora SRL' };
	const same = { idno: '1000000000002', name: 'Vălmora Vin SRL' };
	const weaker = { idno: '1000000000003', name: 'Valmora Agro SRL' };
	const page = (rows: Json[], more: ResultPage['more'] = 'none') => ({ rows, more });

	it('goes on after a strong match, because another company may have exactly this name', async () => {
		expect(await searchTwice(page([similar]), page([same]))).toMatchObject({
			found: { idno: same.idno, quality: 'exact' },
			alternatives: [{ idno: similar.idno }],
		});
	});

	it.each<[string, ResultPage, ResultPage, boolean]>([
		[
			'if the search that found the company was cut off',
			page([similar], 'cut off'),
			page([]),
			true,
		],
		['unless only the other search was cut off', page([similar]), page([weaker], 'cut off'), false],
		[
			'if no company was found and the last search was cut off',
			page([]),
			page([weaker], 'cut off'),
			true,
		],
		[
			'unless no company was found and the last search was complete',
			page([weaker], 'cut off'),
			page([]),
			false,
		],
	])('says that results may be missing %s', async (_, first, second, isCutOff) => {
		const result = await searchTwice(first, second);
		expect(result.isCutOff).toBe(isCutOff);
	});
});

it('says that a name looks garbled if it isn’t found', async () => {
	const { result } = await searchFor('V?lmora', ['Zefirul']);
	expect(result.reason).toMatch(/The name looks garbled\. Export the list again as UTF-8\.$/);
	expect((await searchFor('V?lmora', ['V?lmora'])).result.reason).toBeNull();
});

it.each([[['Zefirul SRL', 'Zefirul Agro']], [['Zefirul SRL', 'Zefirul SRL']]])(
	'applyMinimum lists the matches of %j that are below the minimum as alternatives, the best first',
	async (names) => {
		const isOne = new Set(names).size === 2;
		const { search } = service(names);
		const result = await searchByName(wantedCompany('Zefirrul'), search);
		const likely = applyMinimum(result, LEAST_SCORE.likely);
		expect([likely.found !== undefined, likely.ambiguous]).toEqual([isOne, !isOne]);
		expect(applyMinimum(result, LEAST_SCORE.strong)).toMatchObject({
			...{ found: undefined, ambiguous: false },
			alternatives: names.map((title) => ({ title })),
			reason: expect.stringMatching(/^No name is similar enough/) as string,
		});
	},
);

/** A registry that finds names containing the query. It ignores diacritics unless `isExact`. */
function registry(names: readonly string[], isExact: boolean): Search {
	const usual = (text: string) => (isExact ? text.toLowerCase() : fold(text));
	return async (query) => {
		const rows = names
			.map((name, index) => ({ idno: String(1_000_000_000_000 + index), name }))
			.filter(({ name }) => usual(name).includes(usual(query)));
		return { rows, more: 'none' };
	};
}

describe('searchByName with any row and any registry', () => {
	const name = fc
		.array(
			fc.constantFrom(
				...['Vălmora', 'Valmora', 'Vallmora', 'Nord', 'Agro', 'Zefirul', 'Зефирул', 'Constr.'],
				...['D.A.C.', 'Panda.md', '3', 'Trei', 'Lunca', 'Orhei', 'constructor', '__proto__', 'GT'],
			),
			{ minLength: 1, maxLength: 3 },
		)
		.map((words) => words.join(' '))
		.chain((text) => fc.constantFrom(text, `SRL ${text}`, 'S.R.L. „PANDA.MD”', 'S.R.L. „D.A.C.”'));
	const names = fc.array(name, { maxLength: 8 });

	it('matches a name copied from the registry exactly, after one search', async () => {
		await fc.assert(
			fc.asyncProperty(names, fc.boolean(), fc.nat(), async (all, isExact, at) => {
				const title = all[at % Math.max(1, all.length)] ?? '';
				const wanted = wantedCompany(title);
				fc.pre(
					title !== '' && !/\p{Script=Cyrillic}/u.test(title) && queriesFor(wanted).length > 0,
				);
				const result = await searchByName(wanted, registry(all, isExact));
				expect(result.score).toBe(1);
				expect(applyMinimum(result, 1).found ?? result.ambiguous).toBeTruthy();
			}),
		);
	});

	it('accepts any text as a name, and never searches for half a character', async () => {
		const anything = fc.oneof(
			fc.constantFrom('constructor', '__proto__', 'toString', 'valueOf', 'hasOwnProperty'),
			fc.string({ unit: 'binary' }),
			fc.string({ unit: 'grapheme' }),
		);
		await fc.assert(
			fc.asyncProperty(anything, fc.array(anything), anything, async (row, all, city) => {
				const queries: string[] = [];
				const search = registry(all, false);
				const noted: Search = async (query, page) => {
					queries.push(query);
					return await search(query, page);
				};
				await searchByName(wantedCompany(row, city, city), noted);
				// Half a surrogate pair can't be sent.
				const isWhole = (text: string) => !/\p{Surrogate}/u.test(text);
				if (isWhole(row)) expect(queries.every(isWhole)).toBe(true);
			}),
		);
	});
});
