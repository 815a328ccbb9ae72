import { readPath } from '../../../nodes/shared/node/paths';

describe('readPath', () => {
	const record = {
		name: 'A',
		'CRM status': 'new',
		'a.b': 'dotted',
		a: { b: 'nested' },
		rows: [{ at: 1 }, { at: 2 }],
		"it's": { x: 'quoted' },
		custom_fields: { 'my field': { z: 3 } },
		'tags[]': 'list',
		empty: null,
	};

	it.each<[string, unknown]>([
		['CRM status', 'new'],
		['["CRM status"]', 'new'],
		['a.b', 'dotted'],
		["a['b']", 'nested'],
		['rows[1].at', 2],
		['rows.1.at', 2],
		['["it\'s"].x', 'quoted'],
		["custom_fields['my field'].z", 3],
		['tags[]', 'list'],
		['empty', null],
	])('finds the field at the path %s', (path, value) => {
		expect(readPath(record, path)).toEqual(value);
	});

	it.each(['', '.', 'x', 'name.x', 'rows[9].at', 'constructor', 'a.__proto__', "['", 'empty.x'])(
		'finds nothing at the path %p',
		(path) => {
			expect(readPath(record, path)).toBeUndefined();
		},
	);
});
