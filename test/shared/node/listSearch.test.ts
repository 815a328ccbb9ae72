import type { IHttpRequestOptions, INodeListSearchResult } from 'n8n-workflow';

import { isJson, readPage, unexpectedShape } from '../../../nodes/shared/http/envelope';
import type { Json } from '../../../nodes/shared/http/envelope';
import { listSearch } from '../../../nodes/shared/node/listSearch';
import { numbered, pageOf } from '../http/listServer';
import { scriptedHost, service, useFakeClock } from '../http/scriptedHost';
import type { Step } from '../http/scriptedHost';

const clock = useFakeClock();

/** An editor that searches a list of so many rows, or whatever the service answers. */
function editor(answers: number | Step) {
	const { host, asked } = scriptedHost(typeof answers === 'number' ? pagesOf(answers) : answers);
	const search = async (filter?: string, paginationToken?: string) => {
		const list = {
			path: '/api/pixels',
			read: (body: unknown) => {
				const page = readPage(body, ['pixels']);
				if (!page) throw unexpectedShape('a list', body);
				return page;
			},
			toOption: ({ id, name }: Json) => ({ name: String(name), value: String(id) }),
			filter,
		};
		return await clock.until(listSearch(host, service, () => list, paginationToken));
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

describe('a searchable list', () => {
	it('shows a page and the token of the next, until the last page', async () => {
		const { asked, search } = editor(250);
		const shown = await search();
		expect(shown.results).toHaveLength(100);
		expect(shown.results[0]).toEqual({ name: 'Row 1', value: '1' });
		expect(shown.paginationToken).toBe('2');
		expect(asked).toHaveLength(1);
		const last = await search(undefined, '3');
		expect(last.results).toHaveLength(50);
		expect(last.paginationToken).toBeUndefined();
	});

	it('is read without a page size if the service rejects it', async () => {
		const { asked, search } = editor(async ({ qs }) =>
			isJson(qs) && 'limit' in qs
				? { status: 422, body: { error: 1, message: 'The limit is at most 50' } }
				: { body: { error: 0, data: { maxpage: 1, pixels: numbered(3) } } },
		);
		expect((await search()).results).toHaveLength(3);
		expect(asked).toHaveLength(2);
	});

	it('finds the search text on any page, in upper or lower case', async () => {
		const { asked, search } = editor(450);
		expect(names(await search(' ROW 449 '))).toEqual(['Row 449']);
		expect(names(await search('row 7'))).toHaveLength(11);
		expect(asked).toHaveLength(5);
	});

	it('searches a few pages at a time and lets the editor request more', async () => {
		const { asked, search } = editor(1_000);
		const first = await search('row 999');
		expect(first).toEqual({ results: [], paginationToken: '6' });
		expect(asked).toHaveLength(5);
		expect(names(await search('row 999', first.paginationToken as string))).toEqual(['Row 999']);
	});

	it('sends no request for each keystroke, but does after a minute', async () => {
		const { asked, search } = editor(50);
		for (const typed of ['r', 'ro', 'row']) await search(typed);
		expect(asked).toHaveLength(1);
		await clock.advance(60_001);
		await search('row');
		expect(asked).toHaveLength(2);
	});

	it('does not keep a failure', async () => {
		let calls = 0;
		const { search } = editor(async (options) =>
			++calls === 1 ? { body: { error: 1, message: 'Wrong' } } : await pagesOf(5)(options),
		);
		await expect(search()).rejects.toThrow('Wrong');
		expect((await search()).results).toHaveLength(5);
	});

	it('opens or fails within ten seconds', async () => {
		const { search } = editor({ status: 429, headers: { 'retry-after': '50' } });
		const start = clock.now();
		await expect(search()).rejects.toThrow(/rate limit/);
		expect(clock.now() - start).toBeLessThanOrEqual(10_000);
	});

	it('ends where the counters say that no page follows', async () => {
		const { asked, search } = editor({
			body: { error: 0, data: { nextpage: null, pixels: numbered(3) } },
		});
		expect((await search()).paginationToken).toBeUndefined();
		expect(asked).toHaveLength(1);
	});
});
