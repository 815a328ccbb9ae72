import { getEventListeners } from 'node:events';

import { onAbort, systemClock } from '../../../nodes/shared/http/clock';

afterEach(() => jest.restoreAllMocks());

describe('systemClock.sleep', () => {
	it('a sleep ends even if the clock is set back in the meantime', async () => {
		const { now } = Date;
		const sleeping = systemClock.sleep(50);
		jest.spyOn(Date, 'now').mockImplementation(() => now() - 3_600_000);
		await expect(sleeping).resolves.toBeUndefined();
	});

	it('a sleep ends early if the clock is set forward', async () => {
		const { now } = Date;
		const sleeping = systemClock.sleep(3_600_000);
		jest.spyOn(Date, 'now').mockImplementation(() => now() + 7_200_000);
		await expect(sleeping).resolves.toBeUndefined();
	});

	it('a sleep ends immediately when the signal fires', async () => {
		const cancel = new AbortController();
		const sleeping = systemClock.sleep(3_600_000, cancel.signal);
		cancel.abort();
		await expect(sleeping).resolves.toBeUndefined();
	});

	it('a sleep that ends early leaves no timer that keeps the process alive for long', async () => {
		const timers = jest.spyOn(globalThis, 'setTimeout');
		const cancel = new AbortController();
		const sleeping = systemClock.sleep(3_600_000, cancel.signal);
		cancel.abort();
		await sleeping;
		const times = timers.mock.calls.map(([, ms]) => ms);
		expect(times).toHaveLength(1);
		// Jest kills a worker that is still there after half a second.
		expect(times[0]).toBeLessThanOrEqual(100);
	});
});

test('onAbort shares one listener per signal among callbacks, and removes it with the last one', () => {
	const cancel = new AbortController();
	const callbacks = Array.from({ length: 50 }, () => jest.fn());
	const stop = callbacks.map((callback) => onAbort(cancel.signal, callback));
	// Node warns about a leak from eleven listeners on.
	expect(getEventListeners(cancel.signal, 'abort')).toHaveLength(1);
	stop[0]!();
	cancel.abort();
	expect(callbacks.map(({ mock }) => mock.calls.length)).toEqual([0, ...Array<number>(49).fill(1)]);
	for (const each of stop) each();
	expect(getEventListeners(cancel.signal, 'abort')).toEqual([]);
});
