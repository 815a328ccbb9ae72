import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { systemClock } from '../../../nodes/shared/http/clock';
import { jsonOf } from '../harness';
import { itemsOf, registryAt, registryOf, withCheckDigit } from '../support';

const COMPANIES = Array.from({ length: 50 }, (_, index) => ({
	idno: withCheckDigit(String(100_000_000_000 + index)),
	name: `Zefirul${String.fromCharCode(97 + (index % 26), 97 + Math.floor(index / 26))} SRL`,
	status: 'active',
}));

const DAY_MS = 86_400_000;

/** How a service can say that the quota is used up. */
const REFUSALS = [
	{ status: 429, body: { success: false } },
	{ status: 403, body: { success: false, message: 'Daily quota exceeded' } },
].map((refusal) => ({
	...refusal,
	headers: { 'retry-after': 40_000, 'x-ratelimit-remaining': 0 },
}));

const { now } = systemClock;

afterEach(() => {
	systemClock.now = now;
});

interface Nights {
	/** Requests a day. */
	quota: number;
	parameters?: INodeParameters;
	refusal?: object;
}

/**
 * Enriches a list every night with default settings, and writes all rows back.
 *
 * @returns for each night, the rows that were checked; and the queries that the service answered
 */
async function enrichNightly(
	list: IDataObject[],
	nights: number,
	{ quota, parameters = {}, refusal = REFUSALS[0] }: Nights,
) {
	const answer = registryOf(COMPANIES);
	const checked: number[][] = [];
	const answered: string[] = [];
	let table = list;
	for (let night = 0; night < nights; night++) {
		systemClock.now = () => now() + night * DAY_MS;
		let left = quota;
		const { run, credential } = await registryAt((request) => {
			if (left-- <= 0) return refusal;
			answered.push(`${request.path}?${request.query.get('q') ?? ''}`);
			return answer(request);
		}, 'v1');
		const node = { resource: 'company', operation: 'enrich', ...parameters };
		const { items, error } = await run(node, {
			items: itemsOf(...table),
			credentials: { companyRegistryApi: { ...credential, requestsPerDay: quota } },
		});
		expect(error).toBeUndefined();
		const today = new Date(systemClock.now()).toISOString().slice(0, 10);
		const rows = jsonOf(items);
		const isFinished = (row: IDataObject) =>
			String(row.registry_checked_at).startsWith(today) &&
			!String(row.match_reason).includes('is waiting for');
		checked.push([...rows.keys()].filter((row) => isFinished(rows[row]!)));
		table = rows;
	}
	return { checked, answered, table };
}

type Five<T> = [T, T, T, T, T];
const indexes = (length: number, from = 0) => Array.from({ length }, (_, index) => from + index);

describe('Enrich with a list larger than the daily quota, by default', () => {
	const byIdno = COMPANIES.map(({ idno }) => ({ IDNO: idno }));
	// No registered name contains "Comert", so each row needs a second search.
	const byName = COMPANIES.map(({ name }) => ({ Firma: name.replace('SRL', 'Comert') }));

	it('checks every row once, and then goes on with the rows that were checked first', async () => {
		const { checked, answered } = await enrichNightly(byIdno, 5, { quota: 15 });
		const [first, second, third, fourth, fifth] = checked as Five<number[]>;
		expect(checked.map(({ length }) => length)).toEqual([15, 15, 15, 15, 15]);
		const unchecked = new Set(indexes(50));
		for (const row of [...first, ...second, ...third]) unchecked.delete(row);
		expect(unchecked.size).toBe(5);
		// A list without dates starts at another row each day, so which rows these are depends on the date.
		const again = fourth.filter((row) => !unchecked.has(row));
		expect(first).toEqual(expect.arrayContaining(again));
		const due = [...first.filter((row) => !again.includes(row)), ...second];
		expect(again).toHaveLength(10);
		expect(due).toEqual(expect.arrayContaining(fifth));
		expect(fifth.filter((row) => first.includes(row))).toHaveLength(5);
		expect(new Set(answered.slice(0, 50)).size).toBe(50);
	});

	// At least half of the rows that a night's quota is enough for are finished, even on a slow machine.
	it.each<[string, object, IDataObject[], quota: number, perRow: number, INodeParameters]>([
		['by name with two searches per row', REFUSALS[0]!, byName.slice(0, 30), 18, 2, {}],
		['with the recommendation', REFUSALS[1]!, byIdno.slice(0, 30), 15, 2, { addCredit: true }],
		['with a quota of three requests', REFUSALS[0]!, byIdno.slice(0, 8), 3, 2, { addCredit: true }],
	])('finishes whole rows every night, %s', async (...scenario) => {
		const [, refusal, rows, quota, perRow, parameters] = scenario;
		const least = Math.ceil(Math.floor(quota / perRow) / 2);
		const nights = Math.ceil(rows.length / least);
		const nightly = await enrichNightly(rows, nights, { quota, parameters, refusal });
		const { checked, answered, table } = nightly;
		expect(table.every((row) => typeof row.registry_checked_at === 'string')).toBe(true);
		const firstAgain = checked.findIndex((_, night) => {
			return new Set(checked.slice(0, night + 1).flat()).size === rows.length;
		});
		const before = checked.slice(0, firstAgain);
		expect(Math.min(...before.map(({ length }) => length))).toBeGreaterThanOrEqual(least);
		expect(new Set(before.flat()).size).toBe(before.flat().length);
		const credits = answered.filter((path) => path.includes('/credit/'));
		expect(credits.length > 0).toBe(parameters.addCredit === true);
	});
});
