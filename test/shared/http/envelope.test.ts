import fc from 'fast-check';

import {
	describeShape,
	explanation,
	hasContent,
	objectsOrNames,
	readPage,
	readRecord,
	requirePage,
	unexpectedShape,
} from '../../../nodes/shared/http/envelope';
import type { Page } from '../../../nodes/shared/http/envelope';
import { isJson, parseJson, type Json } from '../../../nodes/shared/http/json';

const ROWS = [{ id: 1 }, { id: 2 }];
const COUNTERS = { result: 2, perpage: 15, currentpage: 1, nextpage: 2, maxpage: 4 };

test('parseJson reads JSON after a byte order mark', () => {
	expect(parseJson('\uFEFF{"a":1}')).toEqual({ value: { a: 1 } });
	expect(parseJson('{"a":')).toBeUndefined();
	expect(parseJson('null')).toEqual({ value: null });
});

describe('readPage', () => {
	const texts = { perpage: '15', nextpage: '2', maxpage: '4' };
	const outcomes = {
		'a page': { rows: ROWS, perPage: 15, nextPage: 2, lastPage: 4 },
		'an empty list': { rows: [], nextPage: null },
		'no list': undefined,
	};

	it.each<[string, keyof typeof outcomes, unknown]>([
		['rows and counters inside data', 'a page', { error: 0, data: { ...COUNTERS, qrs: ROWS } }],
		['rows and counters at the top level', 'a page', { error: '0', ...COUNTERS, qrs: ROWS }],
		['rows inside data below counters', 'a page', { ...COUNTERS, data: { qrs: ROWS } }],
		['rows as data below counters', 'a page', { ...COUNTERS, data: ROWS }],
		['counters written as text', 'a page', { data: { ...texts, qrs: ROWS } }],
		[
			'a list with gaps, as PHP sends it',
			'a page',
			{ ...COUNTERS, qrs: { 0: ROWS[0], 2: ROWS[1] } },
		],
		['null with a count of 0', 'an empty list', { error: 0, data: { result: 0, qrs: null } }],
		['no list with a count of 0', 'an empty list', { error: 0, data: { result: '0' } }],
		['an empty object with a count of 0', 'an empty list', { error: 0, result: 0, qrs: {} }],
		['null as data with a total of 0', 'an empty list', { success: true, total: 0, data: null }],
		['no list with a total of 0', 'an empty list', { success: true, total: 0 }],
		['null as data', 'an empty list', { error: '0', data: null }],
		['null as the list', 'an empty list', { error: 0, data: { qrs: null } }],
		['an answer without content', 'an empty list', {}],
		['a record', 'no list', { error: 0, data: { id: 1 } }],
		['several other lists', 'no list', { data: { others: ROWS, more: [] } }],
		['another empty list', 'no list', { error: 0, data: { others: [] } }],
		['a list of numbers', 'no list', { data: { qrs: [1, 2] } }],
		['an object for the list', 'no list', { data: { qrs: { 0: ROWS[0], first: ROWS[1] } } }],
		['a list deeper down', 'no list', { error: 0, data: { found: { matches: ROWS } } }],
		['nothing', 'no list', null],
		['an empty object as data', 'no list', { error: 0, data: {} }],
		['an empty object without a counter', 'no list', { error: 0, data: { qrs: {} } }],
	])('reads %s as %s', (_, outcome, body) => {
		expect(readPage(body, ['qrs', 'codes'])).toEqual(outcomes[outcome]);
	});

	const registry = { success: true, total: 120, page: 1, per_page: 20, qrs: ROWS };
	const nested = { perpage: 99, data: { result: 2, perpage: 15, qrs: ROWS } };
	const empty = { data: { ...COUNTERS, maxpage: 0, nextpage: null, qrs: [] } };

	it.each<[string, unknown, Page]>([
		['reads rows from a body that is a list', ROWS, { rows: ROWS }],
		['reads an empty page', empty, { rows: [], perPage: 15, nextPage: null, total: 2 }],
		['prefers the documented name', { data: { codes: [{ id: 9 }] }, qrs: ROWS }, { rows: ROWS }],
		['prefers the counters next to the rows', nested, { rows: ROWS, perPage: 15 }],
		['reads the registry’s counters', registry, { rows: ROWS, perPage: 20, total: 120 }],
		['reads a larger "result" as the total', { result: 31, qrs: ROWS }, { rows: ROWS, total: 31 }],
		['ignores a "result" that only counts the rows', { result: 2, qrs: ROWS }, { rows: ROWS }],
	])('%s', (_, body, page) => {
		expect(readPage(body, ['qrs', 'codes'])).toEqual(page);
	});

	it.each<[nextPage: null | undefined, nextpages: unknown[]]>([
		[null, [null, false, 0, '0']],
		[undefined, [undefined, '', 'none', -1, 1.5, {}, true]],
	])('reads %p as the next page from a "nextpage" of %j', (nextPage, nextpages) => {
		const pages = nextpages.map((nextpage) => readPage({ nextpage, qrs: ROWS }, ['qrs'])!);
		expect(pages.map((page) => page.nextPage)).toEqual(nextpages.map(() => nextPage));
	});

	it.each<[string, unknown]>([
		['a list under "matches"', { success: true, matches: ROWS }],
		['a list under "hits" inside data', { success: true, data: { hits: ROWS, total: 2 } }],
		['the body, without its nulls,', [ROWS[0], null, ROWS[1]]],
		['a list of records next to a list of texts', { urls: ROWS, tags: ['a'] }],
	])('without a name, reads %s as the only list in a response', (_, body) => {
		expect(readPage(body)!.rows).toEqual(ROWS);
	});

	it('without a name, doesn’t read null as a list', () => {
		expect(readPage({ error: 0, data: null })).toBeUndefined();
	});

	it('reads a list of names as records', () => {
		const page = readPage({ data: { options: ['A', { name: 'B' }] } }, [], objectsOrNames);
		expect(page!.rows).toEqual([{ name: 'A' }, { name: 'B' }]);
	});

	it('reads any JSON without throwing', () => {
		fc.assert(
			fc.property(fc.jsonValue(), (body) => {
				const page = readPage(body, ['', 'data', 'error']);
				if (page) expect(page.rows.every(isJson)).toBe(true);
				expect(() => [hasContent(body), explanation(body), describeShape(body)]).not.toThrow();
			}),
			{ numRuns: 1_000 },
		);
	});
});

describe('readRecord', () => {
	const record = { id: 5, name: 'A' };
	const groups = { company: record, people: [record] };
	const besideData = { data: record, people: [record] };
	const ownGroup = { id: 5, data: { clicks: 3 } };

	it.each<[string, unknown, found?: Json]>([
		['in data', { error: 0, data: record }],
		['in data next to other fields', { error: 0, message: 'OK', at: 'now', data: record }],
		['under another known name', { error: 0, company: record }],
		['under its own name in data', { error: 0, data: { company: record } }],
		['as the only entry of a list', { success: true, data: [record] }],
		['at the top level', { error: 0, message: 'OK', ...record }],
		['with its groups', { success: true, ...groups }, groups],
		['with the fields next to data', { success: true, ...besideData }, besideData],
		['with a group called data', { success: true, ...ownGroup }, ownGroup],
		['with a single field', { success: true, status: 'active' }, { status: 'active' }],
	])('finds a record %s', (_, body, found = record) => {
		expect(readRecord(body, ['data', 'company'])).toEqual(found);
	});

	it('a record is identified by any of its identifying fields', () => {
		const record = { name: 'Agro', data: { clicks: 3 } };
		expect(readRecord({ success: true, ...record }, ['data'], ['idno', 'name'])).toEqual(record);
	});

	it.each([
		...[{ error: 0 }, { data: null }, { data: {} }, { data: [] }, { data: [record, record] }],
		...[{ data: 'none' }, [record], 'text'],
	])('finds no record in %j', (body) => {
		expect(readRecord(body, ['data'])).toBeUndefined();
	});
});

describe('explanation', () => {
	it.each<[unknown, string | undefined]>([
		[{ error: 1, message: 'Wrong' }, 'Wrong'],
		[
			{ message: 'Invalid.', errors: { name: ['Long.'], tag: ['Short.'] } },
			'Invalid. Long. Short.',
		],
		[{ message: 'Long.', errors: { name: ['Long.'] } }, 'Long.'],
		[{ errors: { name: ['Too long.', 'Taken.'] } }, 'Too long. Taken.'],
		[{ message: { name: ['Too long.'], slug: 'Taken.' } }, 'Too long. Taken.'],
		[{ error: { title: ['Too long.'], name: ['Taken.'] } }, 'Too long. Taken.'],
		[{ detail: [{ loc: ['q'], msg: 'Short', type: 'a' }, { msg: 'Odd' }] }, 'Short Odd'],
		[{ error: { code: 5, message: 'Wrong' } }, 'Wrong'],
		[{ errors: ['Wrong', { message: 'and worse' }] }, 'Wrong and worse'],
		[{ error: { message: 'Wrong', trace: ['at a.php:1'] } }, 'Wrong'],
		[{ message: '', reason: 'Wrong' }, 'Wrong'],
		[{ statusCode: 400, error: 'Bad Request', message: 'Wrong' }, 'Wrong'],
		[{ title: 'Bad Request', status: 400, detail: 'Wrong' }, 'Wrong'],
		[{ title: 'Wrong' }, 'Wrong'],
		[{ title: 'Bad Request', details: 'Wrong' }, 'Wrong'],
		[{ errors: ['Wrong'], code: 'E_INPUT' }, 'Wrong'],
		[{ code: 'E_INPUT' }, 'E_INPUT'],
		['  Wrong \n\t value ', 'Wrong value'],
		[{ error: 1 }, undefined],
		[{ error: '1' }, undefined],
		[null, undefined],
		[[], undefined],
		[[{ title: 'A' }], undefined],
	])('reads from the failure %j the message %j', (body, words) => {
		expect(explanation(body)).toBe(words);
	});
});

test.each<[unknown, string]>([
	[null, 'null'],
	[[], 'a list'],
	['text', 'a string'],
	[5, 'a number'],
	[{}, 'an empty object'],
	[{ a: 1, b: 2 }, 'an object with a, b'],
	[{ ...[...'abcdefghij'] }, 'an object with 0, 1, 2, 3, 4, 5, 6, 7'],
])('describeShape describes the body %j as "%s"', (body, words) => {
	expect(describeShape(body)).toBe(words);
});

test.each<[unknown, boolean]>([
	[[], true],
	[{ id: 5, message: 'OK' }, true],
	[{ data: {}, message: 'OK' }, true],
	[{ data: [], message: 'OK' }, true],
	[{ clicks: 3 }, true],
	[{ message: 'OK' }, false],
	[{}, false],
	['text', false],
	[null, false],
])('the body %j has content: %p', (body, has) => {
	expect(hasContent(body)).toBe(has);
});

test('requirePage says which list is missing, what came instead, and what to check', () => {
	const read = () => requirePage({ id: 1 }, ['qrs']);
	const description = expect.stringMatching(
		/^Expected a list under "qrs", but got an object with id\. Check the Base URL and the other settings of the credential\./,
	) as string;
	expect(read).toThrow(
		expect.objectContaining({
			description,
			failure: expect.objectContaining({ cause: 'node-defect' }) as object,
		}),
	);
});

test('unexpectedShape quotes the service, if a response has only a message', () => {
	const { description } = unexpectedShape('a list', { success: true, message: 'Nothing found' });
	expect(description).toContain('The service said: "Nothing found".');
});
