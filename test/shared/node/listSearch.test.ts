import type { IHttpRequestOptions, INodeListSearchResult } from 'n8n-workflow';

import { requirePage } from '../../../nodes/shared/http/envelope';
import { isJson } from '../../../nodes/shared/http/json';
import { readOptions, type PickerList } from '../../../nodes/shared/node/listSearch';
import { numbered, pageOf } from '../http/listServer';
import { scriptedHost, service, useFakeClock, type Step } from '../http/scriptedHost';

const clock = useFakeClock();

/** An editor that searches a list with this many rows, or with these answers. */
function editor(answers: number | Step) {
	const { host, asked } = scriptedHost(typeof answers === 'number' ? pagesOf(answers) : answers);
	const search = async (filter?: string, paginationToken?: string) => {
		const list: PickerList = {
			key: filter === undefined ? undefined : '/api/pixels',
			fetchPage: async ({ send }, page, limit) => {
				const request = { method: 'GET', path: '/api/pixels', query: { limit, page } } as const;
				return requirePage(await send(request), ['pixels']);
			},
			toOption: ({ id, name }) => ({ name: `${String(name)} (${String(id)})`, value: String(id) }),
			filter,
		};
		return await clock.until(readOptions(host, service, list, paginationToken));
	};
	return { asked, search };
}

function pagesOf(count: number) {
	return async ({ qs }: IHttpRequestOptions) => {
		const { limit, page } = isJson(qs) ? qs : {};
		const { rows, counters } = pageOf(numbered(count), Number(page), Number(limit));
		return { body: { error: 0, data: { maxpage: counters.maxpage, pixels: rows } } };
	};
}

const names = ({ results }: INodeListSearchResult) => results.map(({ name }) => name);

describe('readOptions', () => {
	it('returns a page of options and the token of the next page, until the last one', async () => {
		const { asked, search } = editor(250);
		const shown = await search();
		expect(shown.results).toHaveLength(100);
		expect(shown.results[0]).toEqual({ name: 'Row 1 (1)', value: '1' });
		expect(shown.paginationToken).toBe('2');
		expect(asked).toHaveLength(1);
		const last = await search(undefined, '3');
		expect(last.results).toHaveLength(50);
		expect(last.paginationToken).toBeUndefined();
	});

	it('shows the second page if the first one is empty', async () => {
		const { search } = editor(async ({ qs }) => {
			const pixels = isJson(qs) && qs.page === 2 ? numbered(3) : [];
			return { body: { error: 0, data: { maxpage: 2, pixels } } };
		});
		expect((await search()).results).toHaveLength(3);
	});

	it('reads options without a page size if the service rejects it', async () => {
		const { asked, search } = editor(async ({ qs }) =>
			isJson(qs) && qs.limit !== undefined
				? { status: 422, body: { error: 1, message: 'The limit is at most 50' } }
				: { body: { error: 0, data: { maxpage: 1, pixels: numbered(3) } } },
		);
		expect((await search()).results).toHaveLength(3);
		expect(asked).toHaveLength(2);
	});

	it.each([
		['Magazin Chișinău', 'chisinau', 'Magazin Chișinău'],
		['Magazin Chișinău', 'CHIŞINĂU', 'Magazin Chișinău'],
		['Magazin Chisinau', 'Chișinău', 'Magazin Chisinau'],
		['Tom &amp; Jerry', 'tom & j', 'Tom & Jerry'],
	])('finds the stored name "%s" by "%s" and shows it as "%s"', async (name, typed, shown) => {
		const pixels = [
			{ id: 1, name: 'Orhei' },
			{ id: 2, name },
		];
		const { search } = editor({ body: { error: 0, data: { maxpage: 1, pixels } } });
		expect(names(await search(typed))).toEqual([`${shown} (2)`]);
	});

	it.each([1, 310, 1_000])('finds record %d of 1,000', async (id) => {
		const { search } = editor(1_000);
		const shown = await search(`(${id})`);
		expect(shown).toEqual({ results: [{ name: `Row ${id} (${id})`, value: String(id) }] });
	});

	it('returns a page of matches and the token of the next page', async () => {
		const { search } = editor(1_000);
		const shown = await search('row');
		expect(shown).toMatchObject({ paginationToken: '2' });
		expect(shown.results).toHaveLength(100);
	});

	it('says how far it has searched if the time is up, and looks further the next time', async () => {
		const { asked, search } = editor(async (options) => {
			await clock.sleep(3_000);
			return await pagesOf(10_000)(options);
		});
		await expect(search('(9999)')).rejects.toThrow(/None of the first \d+00 records match/);
		const before = asked.length;
		await expect(search('(9999)')).rejects.toThrow(/None of the first \d+00 records match/);
		expect(asked.length).toBeGreaterThan(before);
		expect(new Set(asked.map(({ qs }) => JSON.stringify(qs))).size).toBe(asked.length);
	});

	it('says why a later page can’t be read if it has found nothing', async () => {
		const { search } = editor(async (options) =>
			isJson(options.qs) && options.qs.page === 1
				? await pagesOf(200)(options)
				: { body: { error: 1, message: 'Wrong page' } },
		);
		await expect(search('nobody')).rejects.toThrow('Wrong page');
	});

	it('shows what it has found if a later page can’t be read', async () => {
		const { search } = editor(async (options) =>
			isJson(options.qs) && options.qs.page === 1
				? await pagesOf(200)(options)
				: { status: 500, body: '' },
		);
		expect(names(await search('(7)'))).toEqual(['Row 7 (7)']);
	});

	it('shows a new record when the list is opened or refreshed', async () => {
		const rows = numbered(1);
		const { search } = editor(async () => ({
			body: { error: 0, data: { maxpage: 1, pixels: rows } },
		}));
		await search();
		rows.push({ id: 2, name: 'New' });
		expect((await search()).results).toHaveLength(2);
		expect(names(await search('new'))).toEqual(['New (2)']);
	});

	it('reuses the list for each keystroke within a minute', async () => {
		const { asked, search } = editor(50);
		for (const typed of ['r', 'ro', 'row']) await search(typed);
		expect(asked).toHaveLength(1);
		await clock.advance(60_001);
		await search('row');
		expect(asked).toHaveLength(2);
	});

	it('doesn’t reuse a failed list', async () => {
		let calls = 0;
		const { search } = editor(async (options) =>
			++calls === 1 ? { body: { error: 1, message: 'Wrong' } } : await pagesOf(5)(options),
		);
		await expect(search('row')).rejects.toThrow('Wrong');
		expect((await search('row')).results).toHaveLength(5);
	});

	it('shows nothing if no record of the whole list matches', async () => {
		expect(await editor(50).search('nobody')).toEqual({ results: [] });
	});

	it('waits up to ten seconds for the rate limit before it opens a picker', async () => {
		let calls = 0;
		const { search } = editor(async (options) =>
			++calls === 1 ? { status: 429, headers: { 'retry-after': '8' } } : await pagesOf(3)(options),
		);
		expect((await search()).results).toHaveLength(3);
	});

	it('opens a picker or fails within ten seconds', async () => {
		const { search } = editor({ status: 429, headers: { 'retry-after': '50' } });
		const start = clock.now();
		await expect(search()).rejects.toThrow(/rate limit/);
		expect(clock.now() - start).toBeLessThanOrEqual(10_000);
	});
});
