import { processMap } from '../../../nodes/shared/http/processMap';

describe('processMap', () => {
	it('drops the entry that was set longest ago', () => {
		const map = processMap<number>({ most: 2 });
		map.set('a', 1).set('b', 2).set('a', 3).set('c', 4);
		expect([...map]).toEqual([
			['a', 3],
			['c', 4],
		]);
	});

	it('keeps thousands of entries', () => {
		const map = processMap<number>();
		for (let each = 0; each < 10_000; each++) map.set(String(each), each);
		expect(map.size).toBe(10_000);
	});
});
