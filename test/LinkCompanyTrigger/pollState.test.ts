import { Deadline } from '../../nodes/LinkCompanyTrigger/deadline';
import {
	forgetEverything,
	newestState,
	noteEvents,
	noteQuietPoll,
} from '../../nodes/LinkCompanyTrigger/pollCache';
import { fingerprintOf, readState, writeState } from '../../nodes/LinkCompanyTrigger/state';
import { takeTurn } from '../../nodes/LinkCompanyTrigger/pollLock';
import { systemClock } from '../../nodes/shared/http/clock';

describe('the stored state', () => {
	const text = writeState('settings', { mark: 5 }, { used: 3 });

	it('comes back for the same settings', () => {
		expect(readState(text, 'settings')).toEqual({
			polledBefore: true,
			data: { mark: 5 },
			kept: { used: 3 },
		});
	});

	it('starts anew for other settings, but keeps what outlives them', () => {
		expect(readState(text, 'others')).toEqual({ polledBefore: true, kept: { used: 3 } });
	});

	it('is none where nothing was stored', () => {
		expect(readState(undefined, 'settings')).toEqual({ polledBefore: false });
	});

	it.each([
		['cut off', text.slice(0, -3)],
		['no text', { mark: 5 }],
		['a number', '5'],
		['a list', '[]'],
	])('warns where it is broken: %s', (_, stored) => {
		expect(readState(stored, 'settings').warning).toContain('broken');
	});

	it('warns where it is from another version', () => {
		const other = JSON.stringify({ ...(JSON.parse(text) as object), version: 2 });
		expect(readState(other, 'settings').warning).toContain('another version');
	});

	it('stands for the key without revealing it', () => {
		const print = fingerprintOf(['fileCreated', 'secret-key']);
		expect(print).toMatch(/^[0-9a-f]{16}$/);
		expect(print).not.toBe(fingerprintOf(['fileCreated', 'other-key']));
	});
});

describe('what the process remembers of quiet polls', () => {
	beforeEach(forgetEverything);

	it('stands in for a state that n8n did not store', () => {
		noteQuietPoll('t', undefined, 'baseline');
		expect(newestState('t', undefined)).toBe('baseline');
		expect(newestState('other', undefined)).toBeUndefined();
	});

	it('follows quiet polls from one to the next', () => {
		noteQuietPoll('t', 'stored', 'first');
		noteQuietPoll('t', 'first', 'second');
		expect(newestState('t', 'stored')).toBe('second');
		expect(newestState('t', 'second')).toBe('second');
	});

	it('does not stand in for another state', () => {
		noteQuietPoll('t', 'stored', 'first');
		expect(newestState('t', 'restored from a backup')).toBe('restored from a backup');
	});

	it('is gone after events, which must come again if n8n loses them with the state', () => {
		noteQuietPoll('t', 'stored', 'first');
		noteEvents('t');
		expect(newestState('t', 'stored')).toBe('stored');
	});
});

describe('the turn of a trigger', () => {
	it('is given to one poll at a time', () => {
		const giveBack = takeTurn('t', 1_000, 0);
		expect(takeTurn('t', 1_000, 0)).toBeUndefined();
		const other = takeTurn('u', 1_000, 0);
		expect(other).toBeDefined();
		giveBack!();
		other!();
		expect(takeTurn('t', 1_000, 0)).toBeDefined();
	});

	it('is lost by a poll that n8n has given up, which then does not end another one', () => {
		const hanging = takeTurn('v', 1_000, 0);
		const next = takeTurn('v', 2_000, 1_001);
		expect(next).toBeDefined();
		hanging!();
		expect(takeTurn('v', 2_000, 1_002)).toBeUndefined();
	});
});

describe('the time of a poll', () => {
	let now = 0;
	beforeEach(() => {
		now = 0;
		jest.spyOn(systemClock, 'now').mockImplementation(() => now);
	});
	afterEach(() => {
		jest.restoreAllMocks();
	});

	it('ends well before n8n gives the poll up', () => {
		const deadline = new Deadline(36_000, false);
		now = 28_000;
		expect(deadline.over).toBe(false);
		now = 29_000;
		expect(deadline.over).toBe(true);
		expect(deadline.leftMs).toBe(0);
	});

	it('is that of the classic scheduler where n8n does not tell it', () => {
		const deadline = new Deadline(undefined, false);
		now = 239_000;
		expect(deadline.over).toBe(false);
		now = 241_000;
		expect(deadline.over).toBe(true);
	});

	it('is short while somebody waits in the editor', () => {
		const deadline = new Deadline(300_000, true);
		now = 30_000;
		expect(deadline.over).toBe(true);
	});

	it('leaves a request time to answer, but not beyond the end', () => {
		const deadline = new Deadline(36_000, false);
		expect(deadline.timeoutMs).toBeGreaterThan(28_000);
		expect(deadline.timeoutMs).toBeLessThan(36_000);
		now = 28_700;
		expect(deadline.timeoutMs).toBeGreaterThanOrEqual(2_000);
		expect(now + deadline.timeoutMs).toBeLessThan(36_000);
	});
});
