import {
	isConvincing,
	noOrder,
	withRow,
	type OrderedRow,
} from '../../../../nodes/LinkCompanyTrigger/events/fileCreated/listOrder';

const orderOf = (rows: OrderedRow[]) => rows.reduce(withRow, noOrder());
const ids = (...all: number[]) => all.map((id) => ({ id }));
const dated = (...all: Array<[number, string]>) => all.map(([id, date]) => ({ id, date }));

describe('the order of a list', () => {
	it('is that of its ids when rows have no date', () => {
		expect(orderOf(ids(9, 7, 4)).direction).toBe('falling');
		expect(orderOf(ids(1, 2, 8)).direction).toBe('rising');
		expect(orderOf(ids(1, 3, 2)).direction).toBe('none');
		expect(orderOf(ids(1)).direction).toBe('unknown');
	});

	it('allows any order among rows of one date', () => {
		expect(orderOf(dated([7, 'b'], [9, 'b'], [8, 'b'], [2, 'a'], [4, 'a'])).direction).toBe(
			'falling',
		);
		expect(orderOf(dated([7, 'b'], [9, 'b'], [8, 'b'])).direction).toBe('unknown');
	});

	it('is none when ids contradict dates', () => {
		expect(orderOf(dated([7, 'b'], [9, 'a'])).direction).toBe('none');
		expect(orderOf(dated([7, 'b'], [9, 'b'], [8, 'a'])).direction).toBe('none');
		expect(orderOf(dated([3, 'c'], [2, 'b'], [1, 'b'], [4, 'b'])).direction).toBe('none');
	});

	it('is certain after eight rows, or after a few large groups', () => {
		expect(isConvincing(orderOf(ids(7, 6, 5, 4, 3, 2, 1)))).toBe(false);
		expect(isConvincing(orderOf(ids(8, 7, 6, 5, 4, 3, 2, 1)))).toBe(true);
		const group = (from: number, date: string) =>
			Array.from({ length: 20 }, (_, index) => ({ id: from + ((index * 7) % 20), date }));
		expect(isConvincing(orderOf([...group(100, 'b'), ...group(1, 'a')]))).toBe(true);
		expect(isConvincing(orderOf(group(1, 'a')))).toBe(false);
	});
});
