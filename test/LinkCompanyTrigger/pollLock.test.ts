import { lockPoll } from '../../nodes/LinkCompanyTrigger/pollLock';

describe('the lock of a trigger', () => {
	it('is given to one poll at a time', () => {
		const release = lockPoll('t', 1_000, 0);
		expect(lockPoll('t', 1_000, 0)).toBeUndefined();
		const other = lockPoll('u', 1_000, 0);
		expect(other).toBeDefined();
		release!();
		other!();
		expect(lockPoll('t', 1_000, 0)).toBeDefined();
	});

	it('expires when n8n has given up the poll, which then does not release the lock of another one', () => {
		const hanging = lockPoll('v', 1_000, 0);
		const next = lockPoll('v', 2_000, 1_001);
		expect(next).toBeDefined();
		hanging!();
		expect(lockPoll('v', 2_000, 1_002)).toBeUndefined();
	});
});
