import { PollDeadline } from '../../nodes/LinkCompanyTrigger/pollDeadline';
import { systemClock } from '../../nodes/shared/http/clock';

describe('the time of a poll', () => {
	let now = 0;
	beforeEach(() => {
		now = 0;
		jest.spyOn(systemClock, 'now').mockImplementation(() => now);
	});
	afterEach(() => {
		jest.restoreAllMocks();
	});

	it('ends well before n8n gives up the poll', () => {
		const deadline = new PollDeadline(36_000);
		now = 28_000;
		expect(deadline.over).toBe(false);
		now = 29_000;
		expect(deadline.over).toBe(true);
		expect(deadline.leftMs).toBe(0);
	});

	it('is that of the classic scheduler if n8n does not provide it', () => {
		const deadline = new PollDeadline(undefined);
		now = 239_000;
		expect(deadline.over).toBe(false);
		now = 241_000;
		expect(deadline.over).toBe(true);
	});

	it('ends early when a user waits in the editor', () => {
		const deadline = new PollDeadline(300_000, 30_000);
		now = 30_000;
		expect(deadline.over).toBe(true);
	});

	it('leaves a request time for its response, but not beyond the end', () => {
		const deadline = new PollDeadline(36_000);
		expect(deadline.timeoutMs).toBeGreaterThan(28_000);
		expect(deadline.timeoutMs).toBeLessThan(36_000);
		now = 28_700;
		expect(deadline.timeoutMs).toBeGreaterThanOrEqual(2_000);
		expect(now + deadline.timeoutMs).toBeLessThan(36_000);
	});
});
