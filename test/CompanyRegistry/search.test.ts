import {
	companyOf,
	findByIdno,
	findCompanies,
	readCompanyRecord,
	resultsOf,
	searchByText,
	suggestionsIn,
} from '../../nodes/CompanyRegistry/search';
import type { CompanySearch } from '../../nodes/CompanyRegistry/search';
import { ServiceError } from '../../nodes/shared/http/errors';
import type { FailureKind } from '../../nodes/shared/http/failures';

const company = { idno: '1003600015231', name: 'Vălmora SRL' };
const rows = (count: number) => Array.from({ length: count }, () => company);

/** Runs a search whose response is `body`. */
async function find(body: unknown, search: Partial<CompanySearch> = {}) {
	const send = async () => await Promise.resolve(body);
	const query = { q: 'vălmora' };
	return await findCompanies({ send }, { variant: 'v1', query, limit: 50, ...search });
}

describe('findCompanies', () => {
	const onPage = (page: number) => ({ variant: 'unversioned', page }) as const;

	it.each<[found: string, body: object, search: Partial<CompanySearch>, more: string]>([
		['a short page without counters', { data: rows(49) }, {}, 'none'],
		['a full page without counters', { data: rows(50) }, {}, 'cut off'],
		['a full page with a limit of 10', { data: rows(10) }, { limit: 10 }, 'cut off'],
		['a total equal to the number of rows', { total: 50, data: rows(50) }, {}, 'none'],
		['a total above the number of rows', { total: 75, data: rows(50) }, {}, 'cut off'],
		['an empty page despite its total', { total: 75, data: [] }, {}, 'none'],
		['a total above the first page', { total: 75, data: rows(50) }, onPage(1), 'next page'],
		['a full page of the Unversioned API', { data: rows(50) }, onPage(1), 'next page'],
		['a total that this page reaches', { total: 120, data: rows(20) }, onPage(3), 'none'],
		['a total beyond this page', { total: 120, data: rows(50) }, onPage(2), 'next page'],
	])('detects whether there are more companies from %s', async (_found, body, search, more) => {
		const found = await find({ success: true, ...body }, search);
		const { total } = body as { total?: number };
		const isHidden = more === 'cut off';
		expect(found.hidden).toEqual(isHidden ? { total } : undefined);
		// The page reader follows these counters, so they mustn't promise more.
		expect(found.nextPage === null).toBe(more !== 'next page');
		expect(found.total).toBe(isHidden ? undefined : total);
	});

	it.each(['data', 'results', 'companies', 'items'])(
		'finds companies listed under "%s" in the response',
		async (key) => {
			const body = { success: true, [key]: [company], others: key === 'data' ? [] : [{}] };
			expect((await find(body)).rows).toEqual([company]);
			// Even if fields that say less come first.
			const all = ['items', 'companies', 'results', 'data'];
			const later = all.slice(0, all.indexOf(key)).map((each) => [each, [{ name: each }]]);
			expect((await find({ ...Object.fromEntries(later), ...body })).rows).toEqual([company]);
		},
	);

	it.each<[search: Partial<CompanySearch>, message: string]>([
		[{ query: { q: ' ', caen: '' } }, 'There is nothing to search for'],
		[
			{ variant: 'unversioned', query: { caen: '4711' } },
			'filter "CAEN Code" is only available in the V1 API',
		],
		[{ variant: 'unversioned', query: { region: 'Orhei' } }, 'filter "Region" is only available'],
	])('rejects the search %j', async (search, message) => {
		await expect(find({}, search)).rejects.toThrow(message);
	});

	it('a company’s IDNO is text, even if the service sends a number', async () => {
		const data = [{ ...company, idno: Number(company.idno) }];
		expect((await find({ success: true, data })).rows).toEqual([company]);
	});

	it('fails if a search by text finds companies, but none of them has a name', async () => {
		const { idno } = company;
		const searchIn = async (data: object[]) => {
			const send = async () => await Promise.resolve({ success: true, data });
			return await searchByText({ send }, 'v1')('vălmora', 1);
		};
		await expect(searchIn([{ idno }, { idno, name: '' }])).rejects.toThrow('unexpected format');
		for (const data of [[company, { idno }], []]) {
			expect((await searchIn(data)).rows).toEqual(data);
		}
	});

	it('finds nothing if the response has no content, as with status 204', async () => {
		expect(await find({})).toMatchObject({ rows: [], nextPage: null });
	});

	it('fails if the response to a search has no list, in the service’s own words if there are any', async () => {
		await expect(find({ success: true, data: 'none' })).rejects.toThrow('unexpected format');
		await expect(find({ success: true, message: 'Nimic găsit' })).rejects.toThrow('Nimic găsit');
	});
});

describe('A company by its IDNO', () => {
	const branch = { idno: company.idno, name: 'Vălmora SRL, filiala Orhei' };
	const other = { idno: '1008600038413', name: 'Another company' };
	const byIdno = async (body: unknown, variant: 'v1' | 'unversioned' = 'v1') =>
		await findByIdno({ send: async () => await Promise.resolve(body) }, variant, company.idno);

	it('the company with an IDNO is the head office, although its branches have the same one', async () => {
		const found = await byIdno({ data: [other, branch, company] });
		expect(found).toEqual(company);
		expect(await byIdno({ data: [other, branch] })).toEqual(branch);
	});

	it('the record that fits best counts if several have the IDNO, as under a former name', () => {
		const former = { ...company, name: 'Vechea SRL' };
		const isLong = ({ name }: { name?: unknown }) => String(name).length;
		expect(companyOf([former, company], company.idno)).toEqual(former);
		expect(companyOf([former, branch, company], company.idno, isLong)).toEqual(company);
	});

	const read = async (answer: unknown) => {
		const send = async () =>
			await (answer instanceof Error ? Promise.reject(answer) : Promise.resolve(answer));
		return await readCompanyRecord({ send }, 'dossier', company.idno);
	};

	it.each([
		[{}],
		[{ success: true, data: null }],
		[{ success: true, company: {} }],
		[{ success: true, exists: false, idno: company.idno, name: null }],
		[{ success: true, found: false, idno: company.idno, name: null }],
		[new ServiceError('No such company', { kind: 'notFound' })],
	])('a company has no record if the registry returns %j', async (answer) => {
		expect(await read(answer)).toBeUndefined();
	});

	it.each([
		[{ success: true, query: company.idno, status: null }, 'unexpected format'],
		[{ success: true, ...other }, 'returned a different company than 1003600015231'],
		[new ServiceError('Not Found', { kind: 'noSuchPage' }), 'Not Found'],
		[new ServiceError('Not today', { kind: 'denied' }), 'Not today'],
	])('a company’s record can’t be read if the registry returns %j', async (answer, message) => {
		await expect(read(answer)).rejects.toThrow(message);
	});

	it.each([{ data: [] }, { result: null }, { company: {} }])(
		'a response has a company’s record even if it has %j as well',
		async (empty) => {
			expect(await read({ success: true, ...company, ...empty })).toMatchObject(company);
			await expect(read({ success: true, idno: company.idno, ...empty })).resolves.toBeUndefined();
		},
	);

	it.each([[company], [{ at: 'now', identity: { cod_fiscal: company.idno } }], [{ name: 'X' }]])(
		'a company’s record is %j, whatever groups the service puts it in',
		async (record) => {
			expect(await read({ success: true, ...record })).toEqual(record);
		},
	);
});

it.each<[kind: FailureKind, httpCode: string, words: string, isNone: boolean]>([
	['notFound', '404', 'No companies found', true],
	['rejected', '200', 'No companies found', true],
	['rejected', '200', '0 results', true],
	['rejected', '200', 'Nothing was found.', true],
	['rejected', '200', 'Nu a fost găsită nicio companie', true],
	['rejected', '200', 'Ничего не найдено', true],
	['rejected', '200', 'Компания не найдена', true],
	...[
		...[
			'No matching companies found',
			'No companies match',
			'Zero matches',
			'No results',
			'No result',
		],
		...[
			'Company not found',
			'Niciun rezultat',
			'Nici un rezultat',
			'Nicio companie',
			'Nici o companie',
		],
		...['Nu s-a găsit nimic', 'Nu s-au găsit companii', 'Nu au fost găsite companii'],
		...['COMPANY_NOT_FOUND', "The company doesn't exist", 'Nu există companii', 'Нет результатов'],
		...['The company doesn’t exist', 'Compania nu există. Verificați IDNO-ul.'],
		...[
			'Nu există în registru',
			'IDNO inexistent',
			'Fără rezultate',
			'Nu am găsit nimic',
			'Компания не существует',
		],
	].map((words): [FailureKind, string, string, boolean] => ['rejected', '200', words, true]),
	['rejected', '200', 'Casino results', false],
	['rejected', '200', 'The query is too short', false],
	['rejected', '200', 'No access', false],
	['rejected', '200', 'Account does not exist', false],
	['rejected', '200', 'Contul dvs. nu există', false],
	['rejected', '200', 'Nu există suficiente credite', false],
	['rejected', '200', 'Nu există conexiune la baza de date', false],
	['rejected', '400', 'No companies found', false],
	['noSuchPage', '404', 'No companies found', false],
])('takes the failure "%s" (%s) in the words "%s" for an empty result: %s', async (...row) => {
	const [kind, httpCode, reason, isNone] = row;
	const result = resultsOf(Promise.reject(new ServiceError(reason, { kind, httpCode, reason })));
	if (isNone) await expect(result).resolves.toMatchObject({ data: [] });
	else await expect(result).rejects.toThrow(reason);
});

it('a suggestion has its IDNO as text, whatever the service sends', () => {
	const body = {
		success: true,
		data: [{ idno: 1003600015231, name: 'Agro Nord SRL' }, 'Agro Sud SRL'],
	};
	expect(suggestionsIn(body)).toEqual([
		{ idno: '1003600015231', name: 'Agro Nord SRL' },
		{ name: 'Agro Sud SRL' },
	]);
});
