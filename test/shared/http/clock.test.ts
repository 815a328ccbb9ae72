import { systemClock } from '../../../nodes/shared/http/clock';

afterEach(() => jest.restoreAllMocks());

describe('sleeping', () => {
	it('ends although the clock is set back in the meantime', async () => {
		const { now } = Date;
		const sleeping = systemClock.sleep(50);
		jest.spyOn(Date, 'now').mockImplementation(() => now() - 3_600_000);
		await expect(sleeping).resolves.toBeUndefined();
	});

	it('ends early when the clock is set forward', async () => {
		const { now } = Date;
		const sleeping = systemClock.sleep(3_600_000);
		jest.spyOn(Date, 'now').mockImplementation(() => now() + 7_200_000);
		await expect(sleeping).resolves.toBeUndefined();
	});

	it('ends immediately when the signal fires', async () => {
		const cancel = new AbortController();
		const sleeping = systemClock.sleep(3_600_000, cancel.signal);
		cancel.abort();
		await expect(sleeping).resolves.toBeUndefined();
	});
});
