import { rowOf } from '../../../nodes/CompanyRegistry/enrich/row';
import type { Call } from '../../../nodes/shared/node/call';

const CHECKED_AT = '2026-11-26T01:07:05.123Z';

const read = (json: Record<string, unknown>) =>
	rowOf({
		context: { getInputData: () => ({ json }), getNode: () => ({ type: '', parameters: {} }) },
		parameter: (_name: string, otherwise: unknown) => otherwise,
	} as unknown as Call);

describe('The columns of an earlier run', () => {
	it.each([null, '', false, []])('are none if registry_state is %j', (blank) => {
		expect(read({ Company: 'Zefirul', registry_state: blank }).earlier).toMatchObject({
			checkedAt: undefined,
			unreadable: undefined,
		});
	});

	it('cannot be read if registry_state holds something else', () => {
		const { earlier } = read({ Company: 'Zefirul', registry_state: 'see above' });
		expect(earlier.unreadable).toBe('registry_state');
	});

	it('mean a found company if its IDNO and the date are all that is stored', () => {
		const stored = { registry_idno: '1003600116460', registry_checked_at: CHECKED_AT };
		const { values } = read({ Company: 'Zefirul', ...stored }).earlier;
		expect(values.get('match_status')).toBe('found');
		const { registry_idno } = stored;
		const undated = read({ Company: 'Zefirul', registry_idno }).earlier.values;
		expect(undated.get('match_status')).toBeUndefined();
	});

	it('are in the state that fits the row if several stand side by side', () => {
		const state = (day: number, name: string, idno: string) =>
			`registry_state 2026-11-${day}T01:07:05.123Z|idno=${idno}|match_input=Name: ${name}|`;
		const { values } = read({
			Company: 'Zefirul',
			left: state(24, 'Zefirul', '1003600116460'),
			right: state(26, 'Salcia', '1003600015231'),
		}).earlier;
		expect(values.get('registry_idno')).toBe('1003600116460');
	});

	it('aren’t those of the user that begin alike', () => {
		const { values } = read({
			Company: 'Zefirul',
			registry_checked_at: CHECKED_AT,
			match_re: 'mine',
		}).earlier;
		expect(values.get('match_reason')).not.toBe('mine');
	});

	it('are found although their names were cut off', () => {
		const { earlier } = read({
			Title: 'Zefirul',
			Registry_x0020_Checked_x0020_At: CHECKED_AT,
			Registry_x0020_Caen_x0020_Descri: 'Retail',
			Registry_x0020_Recommended_x0020: 'left open',
		});
		expect(earlier.checkedAt).toBe(Date.parse(CHECKED_AT));
		expect(earlier.values.get('registry_caen_description')).toBe('Retail');
		expect([...earlier.written.values()]).not.toContain('left open');
	});
});
