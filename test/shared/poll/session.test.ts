import { Deadline, lockPoll } from '../../../nodes/shared/poll/session';
import { clock, MINUTE } from './pollModel';

const SECOND = 1_000;

describe('the lock of a trigger', () => {
	it('is held by one poll at a time, and by each trigger for itself', () => {
		const lock = lockPoll('one', clock.now + MINUTE)!;
		expect(lockPoll('one', clock.now + MINUTE)).toBeUndefined();
		expect(lockPoll('other', clock.now + MINUTE)).toBeDefined();
		lock.release();
		expect(lockPoll('one', clock.now + MINUTE)).toBeDefined();
	});

	it('is lost by a poll that hangs until n8n has given it up', () => {
		const hanging = lockPoll('hanging', clock.now + MINUTE)!;
		expect(hanging.isHeld()).toBe(true);
		clock.now += MINUTE;
		expect(lockPoll('hanging', clock.now + MINUTE)).toBeDefined();
		expect(hanging.isHeld()).toBe(false);
	});

	it('is not released by a poll that has lost it', () => {
		const late = lockPoll('late', clock.now + MINUTE)!;
		clock.now += MINUTE;
		const next = lockPoll('late', clock.now + MINUTE)!;
		late.release();
		expect(next.isHeld()).toBe(true);
		expect(lockPoll('late', clock.now + MINUTE)).toBeUndefined();
	});
});

describe('the time of a poll', () => {
	it('is four fifths of what n8n grants, and five minutes where n8n does not say', () => {
		expect(new Deadline(100 * SECOND).leftMs).toBe(80 * SECOND);
		for (const unknown of [undefined, 0]) {
			expect(new Deadline(unknown)).toMatchObject({
				leftMs: 4 * MINUTE,
				givenUpAt: clock.now + 5 * MINUTE,
			});
		}
	});

	it('can be less than n8n grants, and ends at 0', () => {
		const deadline = new Deadline(100 * SECOND, 30 * SECOND);
		clock.now += 20 * SECOND;
		expect(deadline.leftMs).toBe(10 * SECOND);
		clock.now += 20 * SECOND;
		expect(deadline.leftMs).toBe(0);
	});

	it('leaves a request less than what is left until n8n gives up, but two seconds at least', () => {
		const deadline = new Deadline(100 * SECOND);
		expect(deadline.timeoutMs).toBe(90 * SECOND);
		clock.now += 80 * SECOND;
		expect(deadline.timeoutMs).toBe(10 * SECOND);
		clock.now += 19 * SECOND;
		expect(deadline.timeoutMs).toBe(2 * SECOND);
	});
});
