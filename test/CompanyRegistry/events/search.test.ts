import { searchQueryIn } from '../../../nodes/CompanyRegistry/events/search';

const queryOf = (filters: object) => searchQueryIn(() => filters as never);

describe('the filters of a watched search', () => {
	it('are sent as they were entered, without those that are empty', () => {
		expect(queryOf({ q: ' ', caen: '62.01', region: ' Orhei ' })).toEqual({
			caen: '62.01',
			region: 'Orhei',
		});
	});

	it('rejects an invalid CAEN code', () => {
		expect(() => queryOf({ caen: 'wine' })).toThrow(
			'The parameter "CAEN Code" must be a CAEN code of up to four digits',
		);
	});
});
