import type { Json } from '../../../../nodes/shared/http/envelope';
import { wantedCompany } from '../../../../nodes/CompanyRegistry/enrich/match/compare';
import { queriesFor, searchByName } from '../../../../nodes/CompanyRegistry/enrich/match/search';
import type { ResultPage } from '../../../../nodes/CompanyRegistry/enrich/match/search';

const ROWS_PER_PAGE = 2;

/** A service that finds these names by any query, and what it was asked. */
function service(names: string[], pages = true) {
	const asked: string[] = [];
	const search = async (query: string, page: number): Promise<ResultPage> => {
		asked.push(`${query} ${page}`);
		const rows: Json[] = names
			.map((name, index) => ({ idno: String(1_000_000_000_000 + index), name }))
			.slice((page - 1) * ROWS_PER_PAGE, page * ROWS_PER_PAGE);
		const hasMore = page * ROWS_PER_PAGE < names.length;
		const next = pages ? 'next page' : 'cut off';
		return { rows, total: names.length, more: hasMore ? next : 'none' };
	};
	return { search, asked };
}

async function searchFor(row: string, names: string[], searches: number, pages = true) {
	const { search, asked } = service(names, pages);
	const wanted = wantedCompany(row);
	const result = await searchByName(() => wanted, queriesFor(wanted), search, {
		searches,
		minScore: 0.8,
	});
	return { result, asked };
}

describe('what a name is searched by', () => {
	it.each([
		['S.R.L. „Vălmora Agro”', ['vălmora agro', 'lmor', 'vălmora', 'agro']],
		['Cîmpia Verde', ['cîmpia verde', 'verd', 'cîmpia', 'verde']],
		['Kodrenii SRL', ['kodrenii', 'odre']],
		['ООО Агро Прут', ['agro prut', 'prut', 'agro']],
		['GT Popescu Vasile', ['popescu vasile', 'pope', 'popescu', 'vasile', 'gt']],
		['Sudarma Chișinău', ['sudarma chișinău', 'sudarma', 'udar', 'chișinău']],
		['Țurcan Valeriu', ['țurcan valeriu', 'urca', 'țurcan', 'valeriu']],
		['A&B Prim', ['a b prim', 'prim', 'a', 'b']],
		['Haltmecker', ['haltmecker', 'ltmec']],
		['Firma Vălmora SRL (client)', ['vălmora', 'lmor', 'vălmora srl client']],
		['Nufărul Alb - Vălmora SRL', ['vălmora', 'lmor', 'nufărul alb vălmora']],
		['Vălmora - Nord SRL', ['vălmora nord', 'lmor', 'vălmora', 'nord']],
		['„”', []],
	])('%s: %j', (name, queries) => {
		expect(queriesFor(wantedCompany(name))).toEqual(queries);
	});
});

describe('the search', () => {
	it('ends with the first request if that finds the company', async () => {
		const { result, asked } = await searchFor('Zefirul', ['Zefirul SRL'], 5);
		expect(result).toMatchObject({ found: { title: 'Zefirul SRL' }, results: 1 });
		expect(asked).toEqual(['zefirul 1']);
	});

	it('never sends more requests than allowed', async () => {
		for (const requests of [1, 2, 3]) {
			const { asked } = await searchFor('Cîmpia Verde Mare', ['Zefirul', 'Zefir', 'Zef'], requests);
			expect(asked).toHaveLength(requests);
		}
	});

	it('reads on for others of the same name while results have all words', async () => {
		const names = ['Zefirul', 'Zefirul Agro', 'Zefirul Vin', 'ZEFIRUL'];
		const { result, asked } = await searchFor('Zefirul', names, 5);
		expect(asked).toEqual(['zefirul 1', 'zefirul 2']);
		expect(result.ambiguous).toBe(true);
	});

	it('does not read further pages of results that lack some of the words', async () => {
		const names = ['Zefirul Vin', 'Agro Vin', 'Auto Vin'];
		const { asked } = await searchFor('Zefirul Vin', names, 5);
		expect(asked).toEqual(['zefirul vin 1']);
	});

	it('reads further pages where a match comes after one that lacks a word', async () => {
		const names = ['Agro Vin', 'Zefirul Vin', 'Auto Vin', 'Prim Vin', 'Zefirul Vin'];
		const { result, asked } = await searchFor('Zefirul Vin', names, 5);
		expect(asked).toEqual(['zefirul vin 1', 'zefirul vin 2', 'zefirul vin 3']);
		expect(result.ambiguous).toBe(true);
	});

	it('says that results were not read', async () => {
		const names = ['Zefirul Agro', 'Zefirul Vin', 'Zefirul'];
		const { result } = await searchFor('Zefirul', names, 1, false);
		expect(result.reason).toMatch(/more results than were read/);
		const found = await searchFor('Zefirul', ['Zefirul', 'Zefirul Agro', 'Zefirul Vin'], 1, false);
		expect(found.result).toMatchObject({ found: { quality: 'exact' } });
		expect(found.result.reason).toMatch(/there may be another company with the same name/);
	});
});
