import { searchQueryIn } from '../../../nodes/CompanyRegistry/events/search';

const queryOf = (filters: object) => searchQueryIn(() => filters as never);

describe('searchQueryIn', () => {
	it('trims the filters of a watched search and leaves out empty ones', () => {
		expect(queryOf({ q: ' ', caen: '62.01', region: ' Orhei ' })).toEqual({
			caen: '62.01',
			region: 'Orhei',
		});
	});

	it('rejects a watched search with an invalid CAEN code', () => {
		expect(() => queryOf({ caen: 'wine' })).toThrow(
			'The parameter "CAEN Code" must be a CAEN code of up to four digits',
		);
	});
});
