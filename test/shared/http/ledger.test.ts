import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../../nodes/shared/http/clock';
import { Ledger } from '../../../nodes/shared/http/ledger';

/** A midnight in UTC. */
const DAY = 20_000 * DAY_MS;
const NOON = DAY + 12 * HOUR_MS;

/** A ledger with these requests. */
function ledgerOf(...sent: Array<[at: number, trigger?: string]>): Ledger {
	const ledger = new Ledger();
	for (const [at, trigger] of sent) ledger.note(at, trigger);
	return ledger;
}

describe('What is left of the daily quota', () => {
	it('the daily quota that’s left is the plan’s, less what has been sent since midnight in UTC', () => {
		const ledger = ledgerOf([DAY - 1], [DAY], [NOON, 'a trigger'], [NOON]);
		expect(ledger.leftToday(100, NOON)).toBe(97);
		expect(ledger.leftToday(100, DAY + DAY_MS)).toBe(100);
	});

	it('what a response says is left counts until the reset, less what has been sent since', () => {
		const ledger = ledgerOf([NOON], [NOON]);
		const resetAt = NOON + 20 * HOUR_MS;
		ledger.noteReport({ leftToday: 7, resetAt }, NOON);
		ledger.note(NOON);
		ledger.noteReport({ remaining: 30 }, NOON);
		expect(ledger.leftToday(100, resetAt - 1)).toBe(6);
		expect(ledger.leftToday(100, resetAt)).toBe(100);
	});

	it.each([7, 0])(
		'what a response says is left (%d) counts until midnight in UTC if it doesn’t say when the quota resets',
		(leftToday) => {
			const ledger = ledgerOf();
			ledger.noteReport({ leftToday }, NOON);
			expect(ledger.leftToday(100, DAY + DAY_MS - 1)).toBe(leftToday);
			expect(ledger.leftToday(100, DAY + DAY_MS)).toBe(100);
		},
	);

	it('the requests of a day are counted even if the clock was ahead before', () => {
		expect(ledgerOf([NOON + 365 * DAY_MS], [NOON]).leftToday(100, NOON)).toBe(99);
	});
});

describe('Requests of triggers', () => {
	it('requests of triggers count for the day on which they were sent', () => {
		const ledger = ledgerOf([DAY - 1, 'one'], [DAY, 'one'], [NOON], [NOON, 'other']);
		expect(ledger.sentByTriggersToday(NOON)).toBe(2);
	});

	it('a trigger may send again exactly a day after the oldest of its allowed requests', () => {
		const ledger = ledgerOf([DAY, 'one'], [DAY + MINUTE_MS, 'other'], [NOON, 'one']);
		expect(ledger.waitMs(4, NOON)).toBe(0);
		expect(ledger.waitMs(3, NOON)).toBe(12 * HOUR_MS);
		expect(ledger.waitMs(2, NOON, 'one')).toBe(12 * HOUR_MS);
		expect(ledger.waitMs(1, NOON, 'one')).toBe(DAY_MS);
		expect(ledger.waitMs(1, NOON, 'other')).toBe(12 * HOUR_MS + MINUTE_MS);
		expect(ledger.waitMs(1, NOON, 'a third')).toBe(0);
		expect(ledger.waitMs(3, DAY + DAY_MS)).toBe(0);
	});

	it('requests of triggers are forgotten if the clock turns out to have been ahead', () => {
		const ahead = NOON + 365 * DAY_MS;
		expect(ledgerOf([ahead, 'one']).waitMs(1, NOON)).toBe(0);
		expect(ledgerOf([NOON, 'one'], [ahead, 'one']).waitMs(2, NOON)).toBe(0);
	});
});
