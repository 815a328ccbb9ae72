import { findCompanies, resultsOf } from '../../nodes/CompanyRegistry/companySearch';
import type { CompanySearch } from '../../nodes/CompanyRegistry/companySearch';
import { ServiceError } from '../../nodes/shared/http/errors';
import type { ApiRequest } from '../../nodes/shared/http/sendRequest';

const company = { idno: '1003600015231', name: 'Vălmora SRL' };
const rows = (count: number) => Array.from({ length: count }, () => company);

/** What a search finds in a body, and the request that it sends. */
async function find(body: unknown, search: Partial<CompanySearch> = {}) {
	let sent: ApiRequest | undefined;
	const send = async (request: ApiRequest) => {
		sent = request;
		return await Promise.resolve(body);
	};
	const query = { q: 'vălmora' };
	const found = await findCompanies(send, { variant: 'v1', query, limit: 50, ...search });
	return { found, sent };
}

describe('a company search', () => {
	it('sends the parameters that the variant documents', async () => {
		const query = { caen: '47.11', region: 'Orhei' };
		const { sent } = await find({ success: true, data: [] }, { query });
		expect(sent).toEqual({
			...{ method: 'GET', path: '/api/v1/search' },
			query: { caen: '47.11', region: 'Orhei', limit: 50 },
		});
		const other = await find({ data: [] }, { variant: 'unversioned', page: 2, limit: undefined });
		expect(other.sent).toEqual({
			...{ method: 'GET', path: '/api/search' },
			query: { q: 'vălmora', page: 2 },
		});
	});

	it.each<[found: string, body: object, search: Partial<CompanySearch>, more: string]>([
		['a short page without counters', { data: rows(49) }, {}, 'none'],
		['a full page without counters', { data: rows(50) }, {}, 'cut off'],
		['a full page of another limit', { data: rows(10) }, { limit: 10 }, 'cut off'],
		['all that the total counts', { total: 50, data: rows(50) }, {}, 'none'],
		['less than the total', { total: 75, data: rows(50) }, {}, 'cut off'],
		['nothing, whatever the total', { total: 75, data: [] }, {}, 'none'],
		['a next page', { total: 75, data: rows(50) }, { variant: 'unversioned' }, 'next page'],
		['a full page', { data: rows(50) }, { variant: 'unversioned' }, 'next page'],
		[
			'the last page, by a total without the page size',
			{ total: 120, data: rows(20) },
			{ variant: 'unversioned', page: 3 },
			'none',
		],
		[
			'a page before the last, by a total without the page size',
			{ total: 120, data: rows(50) },
			{ variant: 'unversioned', page: 2 },
			'next page',
		],
		[
			'contradicting counters, of which the larger counts',
			{ total: 50, nextpage: 2, data: rows(50) },
			{ variant: 'unversioned' },
			'next page',
		],
	])(
		'says whether there are more companies when the response shows %s',
		async (_found, body, search, more) => {
			const { found } = await find({ success: true, ...body }, search);
			expect(found.more).toBe(more);
			expect(found.matches).toBe((body as { total?: number }).total);
			// A reader of pages follows the counters.
			if (more !== 'next page') expect(found.nextPage).toBeNull();
			if (more === 'cut off') expect(found.total).toBeUndefined();
		},
	);

	it.each([
		['data', { success: true, data: [company] }],
		['results', { success: true, results: [company], others: [{}] }],
		['companies', { success: true, companies: [company], others: [{}] }],
		['items', { success: true, items: [company], others: [{}] }],
	])('finds the companies under "%s"', async (_key, body) => {
		expect((await find(body)).found.rows).toEqual([company]);
	});

	it('returns an IDNO sent as a number as text', async () => {
		const body = { data: [{ ...company, idno: Number(company.idno) }] };
		expect((await find(body)).found.rows).toEqual([company]);
	});

	it.each<[search: Partial<CompanySearch>, message: string]>([
		[{ query: {} }, 'There is nothing to search for'],
		[{ query: { q: ' ', caen: '' } }, 'There is nothing to search for'],
		[{ variant: 'unversioned', query: { caen: '4711' } }, 'filter "CAEN Code" is only available'],
		[{ variant: 'unversioned', query: { region: 'Orhei' } }, 'filter "Region" is only available'],
	])('sends no search for %j', async (search, message) => {
		await expect(find({}, search)).rejects.toThrow(message);
	});

	it('fails if the response has no list', async () => {
		await expect(find({ success: true, data: 'none' })).rejects.toThrow('unexpected format');
	});
});

describe('the response that a search has no results', () => {
	const failing = async (message: string, httpCode: string, hasEnvelope = true) =>
		await resultsOf(Promise.reject(new ServiceError(message, { httpCode, hasEnvelope })));

	it.each(['404', '410'])('recognizes a %s from the service as "no results"', async (status) => {
		await expect(failing('No companies found', status)).resolves.toMatchObject({ data: [] });
	});

	it.each<[message: string, status: string, hasEnvelope?: boolean]>([
		['No companies found', '400'],
		['Route not found', '404'],
		['Not Found', '404', false],
	])('does not take "%s" with status %s for "no results"', async (...failure) => {
		await expect(failing(...failure)).rejects.toThrow(failure[0]);
	});
});
