import { isState, readState, writeState } from '../../../nodes/CompanyRegistry/enrich/state';
import { without } from '../../../nodes/shared/http/json';

const COLUMNS = {
	match_status: 'found',
	match_quality: 'exact',
	match_reason: '',
	match_input: 'Name: „Zefirul” & fiii | Orhei',
	match_alternatives: 'Zefirul SRL, Cahul, 1003600116460\nZefirul SA, Orhei, 1003600015231',
	registry_idno: '1003600116460',
	registry_name: 'Zefirul 100%25 "Nord" SRL',
	registry_city: null,
	registry_score: 62,
	registry_administrators: ['Ion Rotaru'],
	registry_changed: true,
	registry_checked_at: '2026-11-26T01:07:05.123Z',
};

const state = writeState(COLUMNS)!;

describe('registry_state', () => {
	it.each<[string, (text: string) => string]>([
		['as it was written', (text) => text],
		['trimmed', (text) => ` ${text.trim()}\n`],
		['with entities', (text) => text.replaceAll('&', '&amp;').replaceAll('"', '&quot;')],
		['in a paragraph', (text) => `<p>${text}</p>`],
		[
			'with other spaces and line breaks',
			(text) => text.replaceAll('|', ' |').replaceAll(' ', '\u00a0\n'),
		],
	])('says what the columns say, %s', (_, stored) => {
		const text = stored(state);
		expect(isState(text)).toBe(true);
		const { checkedAt, values } = readState(text)!;
		expect(checkedAt).toBe(Date.parse(COLUMNS.registry_checked_at));
		const others = without(COLUMNS, 'match_reason', 'registry_changed');
		expect(Object.fromEntries(values)).toEqual({
			...others,
			match_reason: '',
			registry_administrators: '["Ion Rotaru"]',
		});
	});

	it('has at most 500 characters, and leaves out what is long first', () => {
		const long = {
			...COLUMNS,
			match_reason: 'z'.repeat(400),
			registry_caen_description: 'x'.repeat(220),
			registry_advisory_notes: 'y'.repeat(400),
		};
		const text = writeState(long)!;
		expect(text.length).toBeLessThanOrEqual(500);
		expect(text).toMatch(/match_input=N.*match_reason=z{99,}.*\|name=Z.*administrators=\[/);
		expect(text).toMatch(/caen_description=…\|advisory_notes=…\|/);
	});

	it('says what it can if its end is cut off', () => {
		const { values } = readState(state.slice(0, 120))!;
		expect(values.get('registry_idno')).toBe(COLUMNS.registry_idno);
		expect(values.get('match_input')).toBe(COLUMNS.match_input);
		expect(values.has('registry_name')).toBe(false);
		expect(readState(state.slice(0, 30))).toBeUndefined();
	});

	it('leaves out what most rows have, and still says it', () => {
		const date = COLUMNS.registry_checked_at;
		const usual = { match_quality: 'exact', registry_searched_at: date, match_alternatives: null };
		const text = writeState({ ...COLUMNS, ...usual })!;
		expect(text).toContain('searched_at=same');
		expect(text).not.toMatch(/match_(?:status|quality|reason|alternatives)/);
		expect(Object.fromEntries(readState(text)!.values)).toMatchObject({
			...{ ...usual, match_status: 'found', match_reason: '', match_alternatives: '' },
		});
		const none = { ...COLUMNS, registry_idno: null, match_status: 'notFound' };
		expect(readState(writeState(none)!)!.values.get('match_status')).toBe('notFound');
		const unnumbered = { ...COLUMNS, registry_idno: null };
		expect(readState(writeState(unnumbered)!)!.values.get('match_status')).toBe('found');
	});

	it('is nothing for a row that was never checked, and nothing else is one', () => {
		expect(writeState({ ...COLUMNS, registry_checked_at: null })).toBeNull();
		expect(['registry_statement 2026', 'see registry_state 2026-11-26|', 7].some(isState)).toBe(
			false,
		);
	});
});
