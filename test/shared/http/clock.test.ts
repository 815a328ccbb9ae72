import { getEventListeners } from 'node:events';

import { duration, onAbort, systemClock } from '../../../nodes/shared/http/clock';

describe('systemClock.sleep', () => {
	it('a sleep ends by itself', async () => {
		await expect(systemClock.sleep(5)).resolves.toBeUndefined();
		await expect(systemClock.sleep(-5)).resolves.toBeUndefined();
	});

	it('a sleep ends immediately when its signal fires, or has fired before', async () => {
		const cancel = new AbortController();
		const sleeping = systemClock.sleep(3_600_000, cancel.signal);
		cancel.abort();
		await expect(sleeping).resolves.toBeUndefined();
		await expect(systemClock.sleep(3_600_000, cancel.signal)).resolves.toBeUndefined();
	});

	it('a sleep can last longer than a timer of Node.js', async () => {
		const cancel = new AbortController();
		let isOver = false;
		const sleeping = systemClock.sleep(2 ** 40, cancel.signal).then(() => (isOver = true));
		await systemClock.sleep(10);
		expect(isOver).toBe(false);
		cancel.abort();
		await sleeping;
	});
});

test('onAbort shares one listener per signal among callbacks, and runs those that remain', () => {
	const cancel = new AbortController();
	const callbacks = Array.from({ length: 50 }, () => jest.fn());
	const stop = callbacks.map((callback) => onAbort(cancel.signal, callback));
	// Node warns about a leak from eleven listeners on.
	expect(getEventListeners(cancel.signal, 'abort')).toHaveLength(1);
	stop[0]!();
	cancel.abort();
	expect(callbacks.map(({ mock }) => mock.calls.length)).toEqual([0, ...Array<number>(49).fill(1)]);
});

test.each([
	[90_000, '90 s'],
	[119_001, '120 s'],
	[120_000, '2 min'],
	[121_000, '3 min'],
	[3_599_000, '60 min'],
	[3_600_000, '1.0 h'],
	[12_600_000, '3.5 h'],
])('duration writes %d ms as %s', (ms, text) => {
	expect(duration(ms)).toBe(text);
});
