import fc from 'fast-check';

import { inKeyOrder, keysSchema, numberOf, storedKeys } from '../../../nodes/shared/poll/keys';

const notNumbers = ['-1', '05', '1.5', '1e3', '9007199254740993', 'abc', 'links:7', ''];

describe('Keys', () => {
	it('only IDs that count up are read as numbers', () => {
		expect(['0', '7', '10000000000009'].map(numberOf)).toEqual([0, 7, 10_000_000_000_009]);
		expect(notNumbers.map(numberOf)).toEqual(notNumbers.map(() => undefined));
	});

	it('IDs are sorted as numbers, and other keys follow in their own order', () => {
		const keys = ['b', '10', 'a', '9'].map((key) => [key, undefined] as const);
		expect(keys.sort(inKeyOrder).map(([key]) => key)).toEqual(['9', '10', 'b', 'a']);
	});
});

describe('Stored keys', () => {
	const read = (stored: unknown) => keysSchema().safeParse(JSON.parse(JSON.stringify(stored)));

	it('IDs are stored as ranges in ascending order', () => {
		const keys = ['42', ...Array.from({ length: 40 }, (_, at) => String(40 - at)), 'links:7'];
		expect(storedKeys(keys)).toEqual({ ids: '1-40,42', others: ['links:7'] });
	});

	it('stored keys are read back unchanged', () => {
		const key = fc.oneof(fc.nat(60).map(String), fc.string(), fc.constantFrom(...notNumbers));
		fc.assert(
			fc.property(fc.array(key, { maxLength: 60 }), (keys) => {
				expect(read(storedKeys(new Set(keys)))).toMatchObject({ data: new Set(keys) });
			}),
		);
	});
});
