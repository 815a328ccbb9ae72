import { isSameValue } from '../../../nodes/shared/node/texts';

describe('isSameValue', () => {
	it.each([
		['12', 12, true],
		['12.50', 12.5, true],
		['0111', 111, true],
		[null, '', true],
		[undefined, null, true],
		[' Vălmora  SRL ', 'Vălmora SRL', true],
		['true', true, true],
		['active', 'suspended', false],
		['', 0, false],
		[null, 'active', false],
		['12', '12.5', false],
		['0111', '111', false],
	])('%p and %p: %p', (one, other, isSame) => {
		expect(isSameValue(one, other)).toBe(isSame);
		expect(isSameValue(other, one)).toBe(isSame);
	});
});
