import fc from 'fast-check';

import type { Page } from '../../../nodes/shared/http/envelope';
import { ServiceError } from '../../../nodes/shared/http/errors';
import { without, type Json } from '../../../nodes/shared/http/json';
import { PAGE_SIZE, PAGES_AT_ONCE, pagesOf, readRows } from '../../../nodes/shared/http/pages';
import type { FetchPage } from '../../../nodes/shared/http/pages';
import { idsOf, ListServer, numbered, type Counters, type ListBehaviour } from './listServer';

const ALL = { rows: Infinity };

async function readAll(...[fetchPage, reading]: Parameters<typeof readRows>) {
	return (await readRows(fetchPage, reading)).rows.slice(0, reading?.rows);
}

const count = fc.integer({ min: 0, max: 700 });
const largestPage = fc.integer({ min: 1, max: 150 });

/** Correct counters in the forms that services return. */
const TRUTHFUL: Record<string, (truth: Counters) => Json> = {
	'all counters': (truth) => ({ ...truth }),
	'no total': (truth) => without({ ...truth }, 'total'),
	'the next page only': ({ perpage, nextpage }) => ({ perpage, nextpage }),
	'the last page only': ({ maxpage }) => ({ maxpage }),
	'total and page size only': ({ total, perpage }) => ({ total, per_page: perpage }),
	'result as the total': ({ total, perpage, nextpage }) => ({ result: total, perpage, nextpage }),
	'numbers as text': ({ nextpage, maxpage, perpage }) => ({
		nextpage: nextpage === null ? null : String(nextpage),
		maxpage: String(maxpage),
		perpage: String(perpage),
	}),
};

const SILENT: ListBehaviour = { counters: () => ({}) };

describe('readRows', () => {
	it.each([
		...Object.entries(TRUTHFUL).map(([name, counters]) => [name, { counters }, 0] as const),
		// Without counters, only a short page shows the end, and a short first page doesn't.
		['no counters', SILENT, 1] as const,
	])('returns all rows in order without needless requests, with %s', async (_, told, more) => {
		await fc.assert(
			fc.asyncProperty(count, largestPage, async (count, largestPage) => {
				const server = new ListServer(numbered(count), { largestPage, ...told });
				expect(await readAll(server.fetch, ALL)).toEqual(numbered(count));
				const pages = Math.max(1, Math.ceil(count / Math.min(largestPage, PAGE_SIZE)));
				const needed = Array.from({ length: pages }, (_, at) => at + 1);
				expect(server.askedPages.slice(0, pages)).toEqual(needed);
				expect(server.askedPages.length).toBeLessThanOrEqual(pages + more);
			}),
			{ numRuns: 60 },
		);
	});

	it.each([
		['all counters', 30, PAGES_AT_ONCE],
		['all counters', 3, 2],
		['the last page only', 30, PAGES_AT_ONCE],
		['total and page size only', 3, 2],
	])('with %s for %d pages, requests up to %d in parallel', async (shown, pages, parallel) => {
		const server = new ListServer(numbered(pages * 100), { counters: TRUTHFUL[shown]! });
		let [underWay, most] = [0, 0];
		await readAll(async (page, size) => {
			most = Math.max(most, ++underWay);
			await new Promise(setImmediate);
			underWay--;
			return await server.fetch(page, size);
		}, ALL);
		expect(most).toBe(parallel);
	});
});

it('readRows reads up to a limit without requesting further pages', async () => {
	const limit = fc.integer({ min: 1, max: 400 });
	await fc.assert(
		fc.asyncProperty(count, largestPage, limit, async (count, largestPage, limit) => {
			const server = new ListServer(numbered(count), { largestPage });
			const sizes: unknown[] = [];
			const fetchPage: FetchPage = async (page, size) => {
				sizes.push(size);
				return await server.fetch(page, size);
			};
			const rows = await readAll(fetchPage, { rows: limit });
			expect(new Set(sizes)).toEqual(new Set([Math.min(PAGE_SIZE, limit)]));
			expect(rows).toEqual(numbered(Math.min(count, limit)));
			const size = Math.min(largestPage, PAGE_SIZE, limit);
			const needed = Math.max(1, Math.ceil(Math.min(count, limit) / size));
			expect(server.askedPages).toHaveLength(needed);
		}),
	);
});

/** Counters for pages of 100 rows, from a service that returns smaller pages. */
const ofTwoPages = (more: Json): Json => ({ perpage: 100, maxpage: 2, nextpage: null, ...more });

const WRONG: Record<string, (truth: Counters) => Json> = {
	'too few pages': (truth) => ({ ...truth, maxpage: 1, total: 1 }),
	'too many pages': (truth) => ({ ...truth, maxpage: 50 }),
	'too many pages and no next page': (truth) => ({ ...truth, maxpage: 50, nextpage: null }),
	'a next page on every page': (truth) => ({ ...truth, nextpage: truth.currentpage + 1 }),
	'a next page of 1 on every page': () => ({ nextpage: 1 }),
	'the last page besides a next page of 2 on every page': ({ maxpage }) => ({
		nextpage: 2,
		maxpage,
	}),
	'a page size as requested instead of as returned': (truth) => ({ ...truth, perpage: 100 }),
	'a page size as requested and no next page': ({ total }) => ({ perpage: 100, total }),
	'counters for the requested page size': ({ total }) => ofTwoPages({ total }),
	'"result" as the total for the requested page size': ({ total }) => ofTwoPages({ result: total }),
};

describe('readRows with wrong counters', () => {
	const counter = fc.oneof(
		fc.integer({ min: -5, max: 2_000 }),
		fc.constantFrom(null, false, '', '3', 'many', 1e9, 2.5),
	);
	const lies = fc.array(
		fc.record(
			{ nextpage: counter, maxpage: counter, perpage: counter, total: counter, result: counter },
			{ requiredKeys: [] },
		),
		{ minLength: 1, maxLength: 8 },
	);
	const manners = fc.record({ ignoresPage: fc.boolean(), clampsPage: fc.boolean() });

	it('reads any list to an end without repeating a row, whatever its counters say', async () => {
		const scenario = fc.record({ count, largestPage, lies, manners, withId: fc.boolean() });
		await fc.assert(
			fc.asyncProperty(scenario, async ({ count, largestPage, lies, manners, withId }) => {
				const list = numbered(count).map((row) => (withId ? row : without(row, 'id')));
				const counters = (_: Counters, page: number) => lies[page % lies.length]!;
				const server = new ListServer(list, { largestPage, counters, ...manners });
				const rows = await readAll(server.fetch, ALL);
				expect(new Set(rows.map((row) => JSON.stringify(row))).size).toBe(rows.length);
			}),
			{ numRuns: 400 },
		);
	});

	it.each(Object.entries(WRONG))(
		'returns all rows with few extra requests despite %s',
		async (_, counters) => {
			for (const [count, largestPage, most] of [
				[120, 15, 8 + PAGES_AT_ONCE],
				[30, 100, 3],
				[100, 100, 3],
			] as const) {
				const server = new ListServer(numbered(count), { counters, largestPage });
				expect(await readAll(server.fetch, ALL)).toEqual(numbered(count));
				expect(server.askedPages.length).toBeLessThanOrEqual(most);
			}
		},
	);
});

/** A list of which the first row is deleted, or gets a neighbor, after the first page was read. */
const CHANGING: Record<string, ListBehaviour['meanwhile']> = {
	nothing: undefined,
	'a row is deleted': (rows, requests) => {
		if (requests === 1) rows.splice(4, 1);
	},
	'a row comes': (rows, requests) => {
		if (requests === 1) rows.unshift({ id: 1_000 });
	},
};

describe('readRows if rows move between pages', () => {
	it.each([
		['nothing', 3],
		['a row comes', 3],
		['a row is deleted', 6],
	])(
		'finds all rows that were there and still are if %s meanwhile, in %d requests',
		async (...row) => {
			const [what, requests] = row;
			const server = new ListServer(numbered(250), { meanwhile: CHANGING[what] });
			const { rows, last } = await readRows(server.fetch);
			expect(rows).toEqual(server.rows.filter(({ id }) => Number(id) <= 250));
			expect(last?.missing).toBe(0);
			expect(server.askedPages.length).toBe(requests);
		},
	);

	it('reads a list without a count again if the number of pages falls and nothing may slip past', async () => {
		const counters = TRUTHFUL['the last page only']!;
		const meanwhile = CHANGING['a row is deleted'];
		const server = new ListServer(numbered(201), { counters, meanwhile });
		expect((await readRows(server.fetch, { isThorough: true })).rows).toEqual(server.rows);
		const other = new ListServer(numbered(201), { counters, meanwhile });
		await readRows(other.fetch);
		expect(other.askedPages.length).toBeLessThanOrEqual(3);
	});

	it('finds a record only once that’s on two pages, and misses none', async () => {
		const list = numbered(150);
		const server = new ListServer([...list, list[0]!]);
		const { rows, last } = await readRows(server.fetch);
		expect(rows).toEqual(list);
		expect(last?.missing).toBe(0);
	});

	it('keeps what it has read if another reading fails', async () => {
		const server = new ListServer(numbered(250), { meanwhile: CHANGING['a row is deleted'] });
		const fetchPage: FetchPage = async (page, size) => {
			if (size !== 100) throw new ServiceError('Quota');
			return await server.fetch(page, size);
		};
		expect((await readRows(fetchPage)).rows).toHaveLength(249);
	});

	it.each([1, 2, 3])('reads the list again if page %d comes empty once', async (number) => {
		let isFirst = true;
		const server = new ListServer(numbered(250));
		const fetchPage: FetchPage = async (page, ...more) => {
			const found = await server.fetch(page, ...more);
			if (page !== number || !isFirst) return found;
			isFirst = false;
			return { rows: [], nextPage: null };
		};
		const { rows } = await readRows(fetchPage);
		// The first page of a list can't be told from an empty list.
		expect(rows).toEqual(number === 1 ? [] : numbered(250));
	});

	it('finds a row that slips past between two pages in smaller pages', async () => {
		const fetchPage: FetchPage = async (page, size = 100) => {
			const rows = numbered(250);
			if (page > 1) [rows[99], rows[100]] = [rows[100]!, rows[99]!];
			const shown = rows.slice((page - 1) * size, page * size);
			return await Promise.resolve({ rows: shown, total: 250 });
		};
		const { rows, last } = await readRows(fetchPage);
		expect(idsOf(rows).toSorted((a, b) => Number(a) - Number(b))).toEqual(idsOf(numbered(250)));
		expect(last?.missing).toBe(0);
	});

	it('puts together what three readings find of a list that has no order', async () => {
		let requests = 0;
		const shown = new Set<unknown>();
		const fetchPage: FetchPage = async (page, size = 100) => {
			const rows = numbered(250);
			rows.push(...rows.splice(0, 7 * requests++));
			const found = rows.slice((page - 1) * size, page * size);
			for (const id of idsOf(found)) shown.add(id);
			return await Promise.resolve({ rows: found, total: 250 });
		};
		const { rows, last } = await readRows(fetchPage);
		expect(new Set(idsOf(rows))).toEqual(shown);
		expect(last?.missing).toBe(250 - shown.size);
	});

	it('says how many rows are missing if each reading finds too few', async () => {
		const server = new ListServer(numbered(250), {
			counters: (truth) => ({ ...truth }),
			empty: [1, 2],
		});
		const { last } = await readRows(server.fetch);
		expect(last?.missing).toBeGreaterThan(0);
	});

	it('a list whose total includes rows that the service doesn’t show hasn’t moved', async () => {
		const counters = (truth: Counters) => ({ ...truth, total: truth.total + 5 });
		const server = new ListServer(numbered(250), { counters });
		const { last } = await readRows(server.fetch, ALL);
		expect(last).toMatchObject({ moved: false, missing: 5 });
		expect(server.askedPages.length).toBeLessThanOrEqual(5);
	});

	it('keeps rows whose IDs are those of what they’re about', async () => {
		const rows = Array.from({ length: 250 }, (_, at) => ({ id: at % 7, day: at }));
		expect(await readAll(new ListServer(rows).fetch, ALL)).toEqual(rows);
	});
});

describe('readRows with equal rows', () => {
	it('merges rows of different pages by type and ID, or by what their page says', async () => {
		const [company, branch] = ['A SRL', 'Branch'].map((name) => ({ idno: '1', name }));
		const first: Json[] = [{ id: 1 }, company!, branch!];
		const others = [{ type: 'bio', id: 1 }, { idno: '1', name: 'Moved' }, { id: 0 }, { id: ' ' }];
		const keyOf = (row: Json) => (row.idno === undefined ? undefined : JSON.stringify(row));
		const pages: Page[] = [
			{ rows: [...first, { id: 0 }, { id: ' ' }], nextPage: 2 },
			{ rows: [{ id: 1, name: 'changed' }, ...others, { ...company }], nextPage: null },
		];
		const all = [...pages[0]!.rows, ...others];
		expect(await readAll(async (page) => pages[page - 1]!, ALL)).toEqual([...all, company]);
		const keyed = await readAll(async (page) => ({ ...pages[page - 1]!, keyOf }), ALL);
		expect(keyed).toEqual(all);
	});
});

describe('readRows with equal pages', () => {
	const names = numbered(20).map((row) => without(row, 'id'));
	const some = [...numbered(10), ...names.slice(10)];
	const alike = Array.from({ length: 20 }, () => ({ name: 'A' }));

	it.each<[string, Json[], counters: (truth: Counters) => Json]>([
		['no counters', names, () => ({})],
		['no counters and identical rows', alike, () => ({})],
		['no counters and IDs in some rows', some, () => ({})],
		['a distant last page', names, () => ({ maxpage: 1e6 })],
		['IDs and a next page', numbered(20), (truth) => ({ nextpage: truth.currentpage + 1 })],
	])('ends a list whose service ignores the page, with %s', async (_, rows, counters) => {
		const server = new ListServer(rows, { largestPage: 20, ignoresPage: true, counters });
		const read = await readRows(server.fetch, ALL);
		expect(read).toMatchObject({ rows, last: { moved: false } });
		expect(server.askedPages.length).toBeLessThanOrEqual(3);
	});

	it('returns rows without IDs on different pages, even if they are equal', async () => {
		const rows = [...alike, { name: 'B' }, ...alike];
		const server = new ListServer(rows, { ...SILENT, largestPage: 20 });
		expect(await readAll(server.fetch, ALL)).toEqual(rows);
	});
});

describe('readRows with empty pages', () => {
	it.each<[string, ListBehaviour, Json[]]>([
		['ends the list after two empty pages in a row', { empty: [3, 4] }, numbered(200)],
		['ends the list at an empty page without counters', { ...SILENT, empty: [3] }, numbered(200)],
	])('%s', async (_, behaviour, rows) => {
		const server = new ListServer(numbered(500), behaviour);
		expect(await readAll(server.fetch, ALL)).toEqual(rows);
	});
});

describe('pagesOf', () => {
	const collect = async (pages: ReturnType<typeof pagesOf>, most = Infinity) => {
		const read = [];
		for await (const page of pages) if (read.push(page) === most) break;
		return read;
	};
	const shown = fc.constantFrom(...Object.values(TRUTHFUL), SILENT.counters);

	it('continues at a later page as if reading had never stopped, and requests no page twice', async () => {
		const stopAfter = fc.integer({ min: 1, max: 8 });
		const scenario = fc.record({ count, largestPage, shown, stopAfter });
		await fc.assert(
			fc.asyncProperty(scenario, async ({ count, largestPage, shown, stopAfter }) => {
				const listed = () => new ListServer(numbered(count), { largestPage, counters: shown });
				const whole = await collect(pagesOf(listed().fetch));
				const server = listed();
				const first = await collect(pagesOf(server.fetch), stopAfter);
				const start = first.at(-1)!.next;
				const rest = start !== undefined ? await collect(pagesOf(server.fetch, { start })) : [];
				expect([...first, ...rest].map(({ rows }) => rows)).toEqual(whole.map(({ rows }) => rows));
				expect(server.askedPages).toEqual(whole.map(({ number }) => number));
			}),
			{ numRuns: 60 },
		);
	});

	it('counts the pages before its start as full, even if it starts at a short last page', async () => {
		const server = new ListServer(numbered(45), { largestPage: 20 });
		const read = await collect(pagesOf(server.fetch, { start: 3 }));
		expect(read.map(({ rows, next }) => [rows.length, next])).toEqual([[5, undefined]]);
		expect(server.askedPages).toEqual([3]);
	});

	it('returns the same pages however many it fetches ahead', async () => {
		const failing = fc.option(fc.integer({ min: 2, max: 8 }), { nil: 0 });
		const codes = fc.constantFrom('400', '404', '500');
		const scenario = fc.record({ count, failing, codes, shown });
		await fc.assert(
			fc.asyncProperty(scenario, async ({ count, failing, codes: httpCode, shown }) => {
				const reading = async (prefetch: number) => {
					const server = new ListServer(numbered(count), { counters: shown });
					const fetchPage = async (number: number, size?: number) => {
						if (number === failing) throw new ServiceError('No', { httpCode });
						return await server.fetch(number, size);
					};
					return await collect(pagesOf(fetchPage, { prefetch })).catch(String);
				};
				expect(await reading(PAGES_AT_ONCE)).toEqual(await reading(1));
			}),
		);
	});
});

describe('readRows with errors', () => {
	const promising: ListBehaviour = { counters: (truth) => ({ nextpage: truth.currentpage + 1 }) };
	const hiding: ListBehaviour = { counters: (truth) => ({ ...truth, total: truth.total + 2 }) };
	const wrongKey = { httpCode: '400', kind: 'key' as const };

	it.each<[outcome: string, error: string, from: number, object, ListBehaviour]>([
		['ends', 'a 400 for a page beyond the last one', 3, { httpCode: '400' }, SILENT],
		['ends', 'a 422 for a page beyond the last one', 3, { httpCode: '422' }, SILENT],
		['ends', 'a 404 for a page beyond the last one', 3, { httpCode: '404' }, SILENT],
		['ends', 'a 404 after the last page, despite hidden rows', 3, { httpCode: '404' }, hiding],
		['fails', 'a 404 for the first page', 1, { httpCode: '404' }, SILENT],
		['fails', 'a 500', 3, { httpCode: '500', kind: 'server' }, SILENT],
		['fails', 'a rejected key', 3, wrongKey, SILENT],
		['fails', 'a 404 for a page that the counters promise', 3, { httpCode: '404' }, promising],
		['fails', 'a 404 for a page that the total promises', 2, { httpCode: '404' }, {}],
	])('reading a list %s after %s', async (outcome, _, from, details, behaviour) => {
		const error = new ServiceError('No', details);
		const server = new ListServer(numbered(40), { largestPage: 20, ...behaviour });
		const fetchPage: FetchPage = async (page, size) =>
			page >= from ? await Promise.reject(error) : await server.fetch(page, size);
		const rows = await readAll(fetchPage, ALL).catch((caught) => caught === error && 'fails');
		expect(rows).toEqual(outcome === 'ends' ? numbered(40) : 'fails');
	});
});

describe('readRows with a rejected page size', () => {
	it.each([
		['400', 'Bad request'],
		['200', 'The limit must not exceed 20'],
		['403', 'Page size too large'],
		['200', 'Wrong per_page'],
	])('repeats a request that fails with %s "%s" without a page size', async (httpCode, message) => {
		const server = new ListServer(numbered(45), { largestPage: 20 });
		const sizes: unknown[] = [];
		const rows = await readAll(async (page, size) => {
			sizes.push(size);
			if (size) throw new ServiceError(message, { httpCode });
			return await server.fetch(page, 20);
		}, ALL);
		expect(rows).toEqual(numbered(45));
		expect(sizes).toEqual([100, undefined, undefined, undefined]);
	});

	const limited = { kind: 'rateLimit' as const };

	it.each<[requests: number, string, Error]>([
		[1, 'isn’t about the page size', new ServiceError('No such channel', { httpCode: '404' })],
		[1, 'has no status', new ServiceError('Nothing came back')],
		[1, 'is about the rate limit', new ServiceError('The limit of requests', limited)],
		[2, 'rejects any page size', new ServiceError('No', { httpCode: '400' })],
	])('fails after %d request(s) with an error that %s', async (requests, _, error) => {
		const fetchPage = jest.fn(async () => await Promise.reject(error));
		await expect(readRows(fetchPage)).rejects.toBe(error);
		expect(fetchPage).toHaveBeenCalledTimes(requests);
	});
});
