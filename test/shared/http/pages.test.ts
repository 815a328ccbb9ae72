import fc from 'fast-check';

import { without } from '../../../nodes/shared/http/envelope';
import type { Json, Page } from '../../../nodes/shared/http/envelope';
import { ServiceError } from '../../../nodes/shared/http/errors';
import type { FetchPage } from '../../../nodes/shared/http/pages';
import { PAGE_SIZE, PAGES_AT_ONCE, pagesOf, readRows } from '../../../nodes/shared/http/pages';
import { idsOf, ListServer, numbered } from './listServer';
import type { Counters, ListBehaviour } from './listServer';

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

	const counted = ['all counters', 'the last page only', 'total and page size only'] as const;

	it.each(counted)(
		'requests several pages in parallel once %s shows how many exist',
		async (shown) => {
			for (const [pages, parallel] of [
				[30, PAGES_AT_ONCE],
				[3, 2],
			] as const) {
				const server = new ListServer(numbered(pages * 100), { counters: TRUTHFUL[shown]! });
				let underWay = 0;
				let most = 0;
				await readAll(async (page, size) => {
					most = Math.max(most, ++underWay);
					await new Promise(setImmediate);
					underWay--;
					return await server.fetch(page, size);
				}, ALL);
				expect(most).toBe(parallel);
			}
		},
	);

	it('reads from a later page to the end without needless requests', async () => {
		const counters = TRUTHFUL['total and page size only']!;
		const server = new ListServer(numbered(250), { counters });
		const rows = await readAll(server.fetch, { start: 2 });
		expect(rows).toEqual(numbered(250).slice(100));
		expect(server.askedPages).toEqual([2, 3]);
	});
});

it('readRows reads up to a limit without requesting further pages', async () => {
	const limit = fc.integer({ min: 1, max: 400 });
	await fc.assert(
		fc.asyncProperty(count, largestPage, limit, async (count, largestPage, limit) => {
			const server = new ListServer(numbered(count), { largestPage });
			const rows = await readAll(server.fetch, { rows: limit });
			expect(rows).toEqual(numbered(Math.min(count, limit)));
			const size = Math.min(largestPage, PAGE_SIZE, limit);
			const needed = Math.max(1, Math.ceil(Math.min(count, limit) / size));
			expect(server.askedPages).toHaveLength(needed);
		}),
	);
});

/** Counters for pages of 100 rows, from a service that returns smaller pages. */
const ofTwoPages = (more: Json): Json => ({ perpage: 100, maxpage: 2, nextpage: null, ...more });

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

	it.each<[string, ListBehaviour]>([
		['a last page that is too small', { counters: (t) => ({ ...t, maxpage: 1, total: 1 }) }],
		[
			'a page size as requested instead of as returned',
			{ counters: (t) => ({ ...t, perpage: 100 }) },
		],
		[
			'a page size as requested and no next page',
			{ counters: ({ total }) => ({ perpage: 100, total }) },
		],
		['a next page of 1 on every page', { counters: () => ({ nextpage: 1 }) }],
		[
			'counters for the requested page size with a total',
			{ counters: ({ total }) => ofTwoPages({ total }) },
		],
		[
			'counters for the requested page size with "result"',
			{ counters: ({ total }) => ofTwoPages({ result: total }) },
		],
	])('returns all rows despite %s', async (_, behaviour) => {
		const server = new ListServer(numbered(120), { largestPage: 15, ...behaviour });
		expect(await readAll(server.fetch, ALL)).toEqual(numbered(120));
	});

	it.each<[string, count: number, ListBehaviour]>([
		[
			'a last page of 50 and no next page',
			30,
			{ counters: (t) => ({ ...t, maxpage: 50, nextpage: null }) },
		],
		['a last page of 50 for a single full page', 100, { counters: (t) => ({ ...t, maxpage: 50 }) }],
		['a next page on every page', 30, { counters: (t) => ({ ...t, nextpage: t.currentpage + 1 }) }],
		[
			'missing counters from a service that ignores the page',
			15,
			{ ...SILENT, largestPage: 15, ignoresPage: true },
		],
	])('sends at most two extra requests because of %s', async (_, count, behaviour) => {
		const server = new ListServer(numbered(count), behaviour);
		expect(await readAll(server.fetch, ALL)).toEqual(numbered(count));
		expect(server.askedPages.length).toBeLessThanOrEqual(3);
	});
});

it('repeats no row of a list that changes while it’s read, and says that rows moved', async () => {
	const deleting = (rows: Json[], requests: number) => {
		if (requests === 1) rows.splice(4, 1);
	};
	const inserting = (rows: Json[], requests: number) => {
		if (requests === 1) rows.unshift({ id: 1_000 });
	};
	for (const meanwhile of [undefined, deleting, inserting]) {
		const server = new ListServer(numbered(250), { meanwhile });
		const { rows, last } = await readRows(server.fetch);
		expect(new Set(idsOf(rows)).size).toBe(rows.length);
		expect(last?.moved).toBe(meanwhile !== undefined);
		if (meanwhile !== deleting) expect(idsOf(rows)).toEqual(idsOf(numbered(250)));
	}
});

describe('readRows with equal rows', () => {
	it.each<[string, Json[], largestPage?: number]>([
		[
			'of several types that share IDs',
			['links', 'bio', 'qr'].flatMap((type) => [1, 2].map((id) => ({ type, id }))),
			2,
		],
		['on one page that share an ID', Array.from({ length: 7 }, (_, name) => ({ id: 1, name }))],
		['on one page that share an IDNO', ['A SRL', 'Branch'].map((name) => ({ idno: '1', name }))],
	])('returns all rows %s', async (_, rows, largestPage = 100) => {
		const server = new ListServer(rows, { largestPage });
		expect(await readAll(server.fetch, ALL)).toEqual(rows);
	});

	it.each(['', ' ', 0, '0', null, undefined, 2 ** 60])(
		'doesn’t merge rows of different pages by the ID %p',
		async (id) => {
			const rows = ['A', 'B', 'C'].map((name) => ({ id, name }));
			const server = new ListServer(rows, { largestPage: 1 });
			expect(await readAll(server.fetch, ALL)).toMatchObject(rows.map(({ name }) => ({ name })));
		},
	);

	it('merges rows of different pages by ID, or by all fields if they have an IDNO', async () => {
		const company = { idno: '1', name: 'A SRL' };
		const pages: Page[] = [
			{ rows: [{ id: 1 }, company], nextPage: 2 },
			{
				rows: [{ id: 1, name: 'changed' }, { ...company }, { idno: '1', name: 'Branch' }],
				nextPage: null,
			},
		];
		const rows = await readAll(async (page) => pages[page - 1]!, ALL);
		expect(rows).toEqual([{ id: 1 }, company, { idno: '1', name: 'Branch' }]);
	});
});

describe('readRows with equal pages', () => {
	const names = numbered(20).map((row) => without(row, 'id'));
	const alike = Array.from({ length: 20 }, () => ({ name: 'A' }));
	const echoing = (more: (truth: Counters) => Json): ListBehaviour => ({
		largestPage: 20,
		ignoresPage: true,
		counters: (truth, page) => ({ ...more(truth), currentpage: page }),
	});

	it.each<[string, Json[], ListBehaviour]>([
		['no counters', names, echoing(() => ({}))],
		['identical rows', alike, echoing(() => ({}))],
		['IDs in some rows', [...numbered(10), ...names.slice(10)], echoing(() => ({}))],
		['a distant last page', names, echoing(() => ({ maxpage: 1e6 }))],
		['IDs and a next page', numbered(20), echoing((t) => ({ nextpage: t.currentpage + 1 }))],
	])(
		'ends a list whose service ignores the page and repeats its number, with %s',
		async (_, rows, behaviour) => {
			const server = new ListServer(rows, behaviour);
			const read = await readRows(server.fetch, ALL);
			expect(read).toMatchObject({ rows, last: { moved: false } });
			expect(server.askedPages.length).toBeLessThanOrEqual(3);
		},
	);

	it('returns rows without IDs on different pages, even if they are equal', async () => {
		const rows = [...alike, { name: 'B' }, ...alike];
		const server = new ListServer(rows, { ...SILENT, largestPage: 20 });
		expect(await readAll(server.fetch, ALL)).toEqual(rows);
	});
});

describe('readRows with empty pages', () => {
	/** The rows of a list of 500 except for page 3. */
	const without3 = numbered(500).filter(({ id }) => Math.ceil(Number(id) / 100) !== 3);
	const gaps = (...empty: number[]): FetchPage => {
		const server = new ListServer(numbered(500));
		return async (number, size) => {
			const page = await server.fetch(number, size);
			return empty.includes(number) ? { ...page, rows: [] } : page;
		};
	};

	it('skips an empty page if the counters promise more', async () => {
		expect(await readAll(gaps(3), ALL)).toEqual(without3);
	});

	it('ends the list after two empty pages in a row', async () => {
		expect(await readAll(gaps(3, 4), ALL)).toEqual(numbered(200));
	});

	it('ends the list at an empty page without counters', async () => {
		const fetch = gaps(3);
		const silent: FetchPage = async (...page) => ({ rows: (await fetch(...page)).rows });
		expect(await readAll(silent, ALL)).toEqual(numbered(200));
	});
});

describe('pagesOf', () => {
	const collect = async (pages: ReturnType<typeof pagesOf>) => {
		const read = [];
		for await (const page of pages) read.push(page);
		return read;
	};

	it('continues at a later page as if reading had never stopped', async () => {
		const scenario = fc.record({ count, largestPage, stopAfter: fc.integer({ min: 1, max: 8 }) });
		await fc.assert(
			fc.asyncProperty(scenario, async ({ count, largestPage, stopAfter }) => {
				const list = numbered(count);
				const fetchPage = async (number: number, size?: number) =>
					await new ListServer(list, { largestPage }).fetch(number, size);
				const whole = await collect(pagesOf(fetchPage));
				const first = whole.slice(0, stopAfter);
				const start = first.at(-1)!.next;
				const rest = start !== undefined ? await collect(pagesOf(fetchPage, { start })) : [];
				expect([...first, ...rest].map(({ rows }) => rows)).toEqual(whole.map(({ rows }) => rows));
			}),
			{ numRuns: 60 },
		);
	});

	it('fetches only the pages that the caller asks for', async () => {
		const server = new ListServer(numbered(500));
		for await (const { rows } of pagesOf(async (...page) => await server.fetch(...page))) {
			expect(rows).toHaveLength(100);
			break;
		}
		expect(server.askedPages).toEqual([1]);
	});

	it('returns the same pages however many it fetches ahead', async () => {
		const failing = fc.option(fc.integer({ min: 2, max: 8 }), { nil: 0 });
		const codes = fc.constantFrom('400', '404', '500');
		const shown = fc.constantFrom(...Object.values(TRUTHFUL), SILENT.counters);
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
	/** Reads a list of two pages whose service fails for the pages from `from` to `to`. */
	const reading = async (error: Error, behaviour: ListBehaviour, from: number, to = Infinity) => {
		const server = new ListServer(numbered(40), { largestPage: 20, ...behaviour });
		const fetchPage: FetchPage = async (page, size) =>
			page >= from && page <= to ? await Promise.reject(error) : await server.fetch(page, size);
		return await readAll(fetchPage, ALL);
	};
	const promising: ListBehaviour = {
		counters: ({ perpage, currentpage }) => {
			const next = currentpage + 1;
			return { perpage, nextpage: next, maxpage: next };
		},
	};

	it.each(['400', '422', '404'])(
		'a %s for a page beyond the last one ends a list',
		async (code) => {
			const error = new ServiceError('No such page', { httpCode: code });
			expect(await reading(error, SILENT, 3)).toEqual(numbered(40));
		},
	);

	const wrongKey = { httpCode: '400', failure: { cause: 'credential-invalid' as const } };

	it.each<[string, from: number, object, ListBehaviour, to?: number]>([
		['a 404 for the first page', 1, { httpCode: '404' }, SILENT],
		['a 500', 3, { httpCode: '500' }, SILENT],
		['a rejected key', 3, wrongKey, SILENT],
		['a 404 for a page that the counters promise', 3, { httpCode: '404' }, promising],
		['a 404 for a page that the total promises', 2, { httpCode: '404' }, {}],
	])('fails to read a list after %s', async (_, from, details, behaviour, to = Infinity) => {
		const error = new ServiceError('No', details);
		await expect(reading(error, behaviour, from, to)).rejects.toBe(error);
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

	it.each<[string, Error]>([
		['isn’t about the page size', new ServiceError('No such channel', { httpCode: '404' })],
		['has no status', new ServiceError('Nothing came back')],
		[
			'is about the rate limit',
			new ServiceError('The limit of requests', { failure: { cause: 'rate-limited' } }),
		],
	])('doesn’t ask again without a page size after an error that %s', async (_, error) => {
		const fetchPage = jest.fn(async () => await Promise.reject(error));
		await expect(readRows(fetchPage)).rejects.toBe(error);
		expect(fetchPage).toHaveBeenCalledTimes(1);
	});

	it('asks without a page size once, and then fails', async () => {
		const fetchPage = jest.fn(async () => {
			throw new ServiceError('No', { httpCode: '400' });
		});
		await expect(readRows(fetchPage)).rejects.toThrow('No');
		expect(fetchPage).toHaveBeenCalledTimes(2);
	});
});
