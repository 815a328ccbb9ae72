import { changesOf } from '../../../nodes/CompanyRegistry/output/changes';

describe('changesOf', () => {
	it.each([
		['12', 12],
		['12.50', 12.5],
		['0111', 111],
		[null, ''],
		[undefined, null],
		[' Vălmora  SRL ', 'Vălmora SRL'],
		['true', true],
	])('reports no change between %p and %p', (from, to) => {
		const fields = [{ companyField: 'x', rowField: 'crm_x' }];
		expect(changesOf(fields, { crm_x: from }, { x: to })).toEqual([]);
		expect(changesOf(fields, { crm_x: to }, { x: from })).toEqual([]);
	});

	it('reports no change if the company lacks the field', () => {
		const fields = [{ companyField: 'status', rowField: 'crm_status' }];
		expect(changesOf(fields, { crm_status: 'active' }, {})).toEqual([]);
	});

	it.each([
		['active', 'suspended'],
		['', 0],
		[null, 'active'],
		['12', '12.5'],
		['0111', '111'],
	])('reports a change from %p to %p', (from, to) => {
		const fields = [{ companyField: 'status', rowField: 'crm.status' }];
		expect(changesOf(fields, { crm: { status: from } }, { status: to })).toEqual([
			{ field: 'crm.status', from, to },
		]);
	});
});
