import { Deadline, lockPoll } from '../../../nodes/shared/poll/session';
import { clock, MINUTE } from './pollModel';

const SECOND = 1_000;

describe('lockPoll', () => {
	it('gives a trigger’s lock to one poll at a time, and each trigger its own lock', () => {
		const lock = lockPoll('one', clock.now + MINUTE)!;
		expect(lockPoll('one', clock.now + MINUTE)).toBeUndefined();
		expect(lockPoll('other', clock.now + MINUTE)).toBeDefined();
		lock.release();
		expect(lockPoll('one', clock.now + MINUTE)).toBeDefined();
	});

	it('frees the lock when n8n gives up a poll that hangs', () => {
		const hanging = lockPoll('hanging', clock.now + MINUTE)!;
		expect(hanging.isHeld()).toBe(true);
		clock.now += MINUTE;
		expect(lockPoll('hanging', clock.now + MINUTE)).toBeDefined();
		expect(hanging.isHeld()).toBe(false);
	});

	it('doesn’t release the lock for a poll that has lost it', () => {
		const late = lockPoll('late', clock.now + MINUTE)!;
		clock.now += MINUTE;
		const next = lockPoll('late', clock.now + MINUTE)!;
		late.release();
		expect(next.isHeld()).toBe(true);
		expect(lockPoll('late', clock.now + MINUTE)).toBeUndefined();
	});
});

describe('Deadline', () => {
	it('gives a poll 80% of n8n’s time limit, or of five minutes if n8n sets none', () => {
		expect(new Deadline(100 * SECOND).leftMs).toBe(80 * SECOND);
		for (const unknown of [undefined, 0]) {
			expect(new Deadline(unknown)).toMatchObject({
				leftMs: 4 * MINUTE,
				givenUpAt: clock.now + 5 * MINUTE,
			});
		}
	});

	it('gives a poll no more than its own maximum, and never less than 0', () => {
		const deadline = new Deadline(100 * SECOND, 30 * SECOND);
		clock.now += 20 * SECOND;
		expect(deadline.leftMs).toBe(10 * SECOND);
		clock.now += 20 * SECOND;
		expect(deadline.leftMs).toBe(0);
	});

	it('ends a request before n8n gives up the poll, but leaves it at least two seconds', () => {
		const deadline = new Deadline(100 * SECOND);
		expect(deadline.timeoutMs).toBe(90 * SECOND);
		clock.now += 80 * SECOND;
		expect(deadline.timeoutMs).toBe(10 * SECOND);
		clock.now += 19 * SECOND;
		expect(deadline.timeoutMs).toBe(2 * SECOND);
	});
});
