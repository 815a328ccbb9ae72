import { readId } from '../../../nodes/shared/http/json';

test.each<[unknown, string | undefined]>([
	[42, '42'],
	['a-1', 'a-1'],
	['007', '7'],
	[0, undefined],
	['0', undefined],
	['', undefined],
	[null, undefined],
	// From here on, two IDs can be the same JavaScript number.
	[2 ** 53, undefined],
	[1.5, undefined],
	[{}, undefined],
])('readId reads the ID %p as %p', (value, id) => {
	expect(readId(value)).toBe(id);
});
