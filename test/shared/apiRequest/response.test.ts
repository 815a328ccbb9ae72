import { findListKey, listIn, wholeResponse } from '../../../nodes/shared/apiRequest/response';

const rows = [{ id: 1 }, { id: 2 }];

describe('the list in a response', () => {
	it.each([
		['as the response itself', rows, ''],
		['as "data"', { data: rows, total: 2 }, 'data'],
		['in "data"', { error: 0, data: { urls: rows, result: 2 } }, 'urls'],
		['at the top level', { error: 0, list: rows, name: 'x' }, 'list'],
		['beside a list of texts', { urls: rows, tags: ['a', 'b'] }, 'urls'],
	])('is found %s', (_, body, key) => {
		expect(findListKey(body)).toBe(key);
		expect(listIn(body, key).rows).toEqual(rows);
	});

	it('is found when it is empty', () => {
		const body = { data: { urls: [] } };
		expect(listIn(body, findListKey(body)).rows).toEqual([]);
	});

	it('is not guessed when there are several', () => {
		expect(() => findListKey({ urls: rows, data: { tags: rows } })).toThrow(
			'The response has several lists: tags, urls',
		);
	});

	it.each([{ data: { id: 1 } }, {}, null, 'text', { tags: ['a'] }])('is missed in %j', (body) => {
		expect(() => findListKey(body)).toThrow('The response has no list of records');
	});

	it('is found by a key with dots, with the counters of its level and of the top level', () => {
		const body = { maxpage: 3, data: { result: { urls: rows, nextpage: 2 } } };
		expect(listIn(body, 'data.result.urls')).toMatchObject({ rows, lastPage: 3, nextPage: 2 });
	});

	it('is not taken from "data" when the key names another', () => {
		expect(() => listIn({ data: rows }, 'urls')).toThrow('no list of records under "urls"');
	});

	it.each(['other', 'data.other', 'data.urls.x', '..'])('has to be under the key %j', (key) => {
		expect(() => listIn({ data: { urls: rows } }, key)).toThrow(
			`The response has no list of records under "${key}"`,
		);
	});
});

describe('a response as one item', () => {
	it('has no "error", which n8n would take for a failure', () => {
		expect(wholeResponse({ error: '0', message: 'Done' })).toEqual({ message: 'Done' });
	});

	it.each([[rows], ['text'], [null]])('holds %j under "data"', (body) => {
		expect(wholeResponse(body)).toEqual({ data: body });
	});
});
