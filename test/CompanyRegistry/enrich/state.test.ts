import { readState, writeState } from '../../../nodes/CompanyRegistry/enrich/state';
import { without, type Json } from '../../../nodes/shared/http/json';

const CHECKED_AT = Date.parse('2026-11-26T01:07:05.123Z');

const VALUES = {
	match_status: 'found',
	match_quality: 'exact',
	match_reason: '',
	match_input: 'Name: „Zefirul” & fiii | Orhei',
	match_alternatives: 'Zefirul SRL, Cahul, 1003600116460\nZefirul SA, Orhei, 1003600015231',
	registry_idno: '1003600116460',
	registry_name: 'Zefirul 100%25 "Nord" \\ SRL',
	registry_status: 'in_liquidation',
	registry_city: null,
	registry_score: 62,
	registry_vat_payer: false,
	registry_administrators: ['Ion Rotaru'],
};

const state = writeState(CHECKED_AT, VALUES);
const read = (text: unknown) => Object.fromEntries(readState(text)?.values ?? []);

describe('registry_state', () => {
	it.each<[string, (text: string) => string]>([
		['as it was written', (text) => text],
		['trimmed', (text) => ` ${text.trim()}\n`],
		['with entities', (text) => text.replaceAll('&', '&amp;').replaceAll('"', '&quot;')],
		['in a paragraph', (text) => `<p>${text}</p>`],
		['in an escaped paragraph', (text) => `&lt;p&gt;${text}&lt;/p&gt;`],
		['in the quotation marks of a JSON text', (text) => JSON.stringify(JSON.stringify(text))],
		['as code in Markdown', (text) => `\`${text}\``],
		['in curly quotation marks', (text) => `„${text}”`],
		['as a bold entry of a list in Markdown', (text) => `- **${text}**`],
		['as a formula', (text) => `="${text}"`],
		['with tags in it', (text) => text.replaceAll('=', '=<b>')],
		['with named entities', (text) => text.replaceAll('|', '&vert;').replaceAll('=', '&equals;')],
		['with Markdown’s backslashes', (text) => text.replace(/[_.|:%-]/g, String.raw`\$&`)],
		['with invisible characters', (text) => text.replaceAll('|', '|\u200b')],
		[
			'with other spaces and line breaks',
			(text) => text.replaceAll('|', ' |').replaceAll(' ', '\u00a0\n'),
		],
	])('a state can be read %s', (_, stored) => {
		const text = stored(state);
		expect(read(text)).toEqual(VALUES);
		expect(readState(text)).toMatchObject({ checkedAt: CHECKED_AT, isCut: false });
	});

	it('where there’s no room for all texts, a state has the reason rather than the advisory notes', () => {
		const [reason, notes] = ['z'.repeat(150), 'y'.repeat(150)];
		const text = writeState(CHECKED_AT, {
			...VALUES,
			match_reason: reason,
			registry_advisory_notes: notes,
		});
		expect([text.includes(reason), text.includes(notes)]).toEqual([true, false]);
	});

	it('a state has at most 500 characters, and only the names of what there’s no room for', () => {
		const long = {
			...VALUES,
			match_reason: 'z'.repeat(400),
			registry_caen_description: 'x'.repeat(190),
			registry_advisory_notes: 'y'.repeat(400),
		};
		const text = writeState(CHECKED_AT, long);
		const lengths = Array.from({ length: 400 }, (_, at) => {
			return writeState(CHECKED_AT, { ...long, match_reason: 'z'.repeat(at + 1) }).length;
		});
		expect(Math.max(...lengths)).toBe(500);
		expect(text).toMatch(/match_input=N.*\|name=Z.*administrators:.*\|match_reason\|caen_/);
		expect(text).toMatch(/\|advisory_notes\|.*end$/);
		expect(read(text)).toMatchObject({ registry_score: 62 });
		expect(readState(text)!.values.has('registry_advisory_notes')).toBe(true);
		expect(read(text).registry_advisory_notes).toBeUndefined();
	});

	it('what the next night needs comes before the rest of the company, so that it’s cut off last', () => {
		const notes = {
			match_credit_status: 'ACT',
			match_credit_name: 'ZEFIRUL',
			match_searched_at: '2026-11-20',
			match_missing_since: '2026-11-25T01:00:00.000Z',
			match_due: 'credit',
			match_quality: 'strong',
			match_status: 'notFound',
			match_former: '1003600015231',
		};
		const many = Array.from({ length: 40 }, (_, at) => [`registry_field_${at}`, 'x'.repeat(40)]);
		const text = writeState(CHECKED_AT, { ...Object.fromEntries(many), ...VALUES, ...notes });
		expect(read(text)).toMatchObject(notes);
		const names = text.split('|').map((entry) => /^[^=:]*/.exec(entry)![0]);
		expect(names.slice(1, 13).join(' ')).toBe(
			'idno status match_former match_input match_status match_quality ' +
				'match_due match_missing_since match_searched_at name score city',
		);
	});

	it('a state whose end is cut off says so, and can be read up to there', () => {
		for (const [from, end] of [
			[130, ''],
			[150, '…'],
		] as const) {
			const cut = state.slice(0, from) + end;
			expect(readState(cut)).toMatchObject({ checkedAt: CHECKED_AT, isCut: true });
			expect(read(cut)).toMatchObject({ registry_idno: VALUES.registry_idno });
			expect(read(cut)).not.toHaveProperty('registry_score');
		}
		expect(readState(state.slice(0, 30))).toBeUndefined();
	});

	it('what a cut-off state has lost isn’t taken for what most rows have', () => {
		const cut = state.slice(0, 130);
		expect(read(cut)).not.toHaveProperty('match_quality');
		expect(read(cut)).not.toHaveProperty('match_reason');
	});

	it('a state leaves out what most rows have, and is read as if it hadn’t', () => {
		const usual = without(VALUES, 'match_alternatives') as Json;
		const text = writeState(CHECKED_AT, { ...usual, match_alternatives: '' });
		expect(text).not.toMatch(/match_(?:status|quality|reason|alternatives)/);
		expect(read(text)).toEqual({ ...usual, match_alternatives: '' });
		const none = { match_status: 'notFound', match_quality: 'none', match_reason: 'None.' };
		expect(read(writeState(CHECKED_AT, none))).toEqual(none);
		const nothing = { ...none, match_alternatives: '', match_input: '' };
		expect(writeState(CHECKED_AT, nothing)).toBe(writeState(CHECKED_AT, none));
	});

	it('a cell is only read as a state if it has nothing else', () => {
		const others = [
			...[
				'registry_statement 2026',
				'see registry_state 2026-11-26|end',
				7,
				null,
				'registry_state',
			],
			...[`${state}, from the old list`, `${state}|${state}`, 'registry_state ieri|end'],
		];
		for (const other of others) expect(readState(other)).toBeUndefined();
	});
});
