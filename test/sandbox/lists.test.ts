import fc from 'fast-check';
import { RowStore } from '../../sandbox/links/rowStore';
import { linkCaller, sandboxFor } from './support';

const range = (from: number, to: number) =>
	Array.from({ length: to - from + 1 }, (_, index) => from + index);

describe('lists', () => {
	test.each([
		[{ maxPageSize: 20 }, '?limit=1000', { perpage: 20, maxpage: 5, result: 90 }, 20],
		[{ defaultPageSize: 7 }, '', { perpage: 7, currentpage: 1, nextpage: 2 }, 7],
		[{}, '?page=99', { currentpage: 99, nextpage: null }, 0],
		[{ wrongCounters: { qrs: { maxpage: 999, result: 3 } } }, '', { maxpage: 999, result: 3 }, 15],
		[{ resultCounts: 'page' }, '?limit=40&page=3', { result: 10 }, 10],
	] as const)('with %j return for "%s" the counters %j', async (links, query, counters, rows) => {
		const { json } = await linkCaller(await sandboxFor({ links }))('GET', `/api/qr${query}`);
		expect(json.data).toMatchObject(counters);
		expect(json.data.qrs).toHaveLength(rows);
	});

	test('have an order, and shift when rows are inserted or deleted between the pages', async () => {
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
		// Two new rows at the head push two known ones on to the second page.
		expect((await idsOf('qr', 'qrs', 2)).slice(0, 3)).toEqual([52, 51, 50]);
		// Three rows gone from the head pull one row past the third page's start.
		expect((await idsOf('qr', 'qrs', 3))[0]).toBe(9);
		const scattered = [
			...(await idsOf('pixels', 'pixels', 1)),
			...(await idsOf('pixels', 'pixels', 2)),
		];
		expect(scattered).not.toEqual(range(1, 70).reverse());
		expect(scattered.sort((a, b) => a - b)).toEqual(range(1, 70));
	});
});

test('a store holds what was inserted and not deleted, in every order', () => {
	const step = fc.oneof(fc.constant(null), fc.integer({ min: 1, max: 30 }));
	fc.assert(
		fc.property(fc.integer({ min: 0, max: 12 }), fc.array(step), (count, steps) => {
			const store = new RowStore(count, (id) => ({ id }));
			const expected = new Set(range(1, count));
			let last = count;
			// Looking at the scattered order first makes the store keep it up to date.
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
