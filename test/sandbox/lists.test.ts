import fc from 'fast-check';
import { RowStore } from '../../sandbox/links/rowStore';
import { linkCaller, sandboxFor } from './support';

const range = (from: number, to: number) =>
	Array.from({ length: to - from + 1 }, (_, index) => from + index);

describe('Sandbox lists', () => {
	test.each([
		[{ maxPageSize: 20 }, '?limit=1000', { perpage: 20, maxpage: 5, result: 90 }, 20],
		[{ defaultPageSize: 7 }, '', { perpage: 7, currentpage: 1, nextpage: 2 }, 7],
		[{}, '?page=99', { currentpage: 99, nextpage: null }, 0],
		[{ wrongCounters: { qrs: { maxpage: 999, result: 3 } } }, '', { maxpage: 999, result: 3 }, 15],
		[{ resultCounts: 'page' }, '?limit=40&page=3', { result: 10 }, 10],
	] as const)(
		'a list with the settings %j and the query "%s" has the counters %j',
		async (links, query, counters, rows) => {
			const { json } = await linkCaller(await sandboxFor({ links }))('GET', `/api/qr${query}`);
			expect(json.data).toMatchObject(counters);
			expect(json.data.qrs).toHaveLength(rows);
		},
	);

	test('lists have an order, and shift if rows are inserted or deleted between pages', async () => {
		const shifts = [
			{ list: 'qrs' as const, afterListRequests: 1, insert: 2 },
			{ list: 'qrs' as const, afterListRequests: 2, delete: 3 },
		];
		const call = linkCaller(await sandboxFor({ links: { shifts, order: { pixels: 'none' } } }));
		const idsOf = async (list: string, key: string, page: number): Promise<number[]> => {
			const { json } = await call('GET', `/api/${list}?limit=40&page=${page}`);
			return json.data[key].map(({ id }: { id: number }) => id);
		};
		expect(await idsOf('qr', 'qrs', 1)).toEqual(range(51, 90).reverse());
		// Two new rows at the start push two rows from the first page to the second.
		expect((await idsOf('qr', 'qrs', 2)).slice(0, 3)).toEqual([52, 51, 50]);
		// Three deleted rows at the start move the rows up, so one of them ends up on the second page.
		expect((await idsOf('qr', 'qrs', 3))[0]).toBe(9);
		const scattered = [
			...(await idsOf('pixels', 'pixels', 1)),
			...(await idsOf('pixels', 'pixels', 2)),
		];
		expect(scattered).not.toEqual(range(1, 70).reverse());
		expect(scattered.sort((a, b) => a - b)).toEqual(range(1, 70));
	});
});

test('RowStore contains the rows that were inserted and not deleted, in every order', () => {
	const step = fc.oneof(fc.constant(null), fc.integer({ min: 1, max: 30 }));
	fc.assert(
		fc.property(fc.integer({ min: 0, max: 12 }), fc.array(step), (count, steps) => {
			const store = new RowStore(count, (id) => ({ id }));
			const expected = new Set(range(1, count));
			let last = count;
			// Reading the arbitrary order once makes the store keep it up to date.
			store.slice('none', 0, 1);
			for (const id of steps) {
				if (id === null) expected.add(store.insert((next) => ({ id: next })).id);
				else expect(store.delete(id)).toBe(expected.delete(id));
				if (id === null) expect(store.has(++last)).toBe(true);
			}
			const ids = [...expected].sort((a, b) => a - b);
			const shown = (order: 'none' | 'newest-first' | 'oldest-first') =>
				store.slice(order, 0, 1000).map(({ id }) => id);
			expect(shown('oldest-first')).toEqual(ids);
			expect(shown('newest-first')).toEqual([...ids].reverse());
			expect(shown('none').sort((a, b) => a - b)).toEqual(ids);
		}),
	);
});
