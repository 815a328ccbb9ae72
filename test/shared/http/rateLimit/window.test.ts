import fc from 'fast-check';

import type { Rate, RateReport } from '../../../../nodes/shared/http/rateLimit/headers';
import { RateWindow } from '../../../../nodes/shared/http/rateLimit/window';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DOCUMENTED: Rate = { limit: 30, windowMs: MINUTE };
const WITH_QUOTA: Rate = { limit: 10, windowMs: MINUTE, perDay: 100 };
const NOW = Date.UTC(2026, 4, 4, 12);

const report = (remaining: number, resetInMs?: number, now = NOW): RateReport => ({
	remaining,
	resetAt: resetInMs === undefined ? undefined : now + resetInMs,
});

/** A window whose first request has been answered. */
function opened(headers: RateReport | undefined, rate = DOCUMENTED): RateWindow {
	const window = new RateWindow(rate);
	window.answered(window.sent(NOW), headers, NOW);
	return window;
}

/** How many requests may be sent right now. */
function room(window: RateWindow, now = NOW): number {
	let sent = 0;
	for (; sent < 1_000; sent++) {
		if (window.nextSlot(now).at > now) return sent;
		window.sent(now);
	}
	return sent;
}

describe('RateWindow: opening', () => {
	it('lets one request through, then as many as its response says are left', () => {
		const window = new RateWindow(DOCUMENTED);
		const first = window.sent(NOW);
		const later = NOW + 2_000;
		expect(window.nextSlot(NOW)).toEqual({ at: later, limited: false });
		// The service may have counted this one after the first.
		window.sent(later);
		window.answered(first, report(4, MINUTE), later);
		expect(room(window, later)).toBe(3);
		expect(window.nextSlot(later)).toEqual({ at: NOW + MINUTE, limited: true });
	});

	it.each<[string, RateReport | undefined, (window: RateWindow) => void]>([
		['there was no response', undefined, () => {}],
		['the window has ended', report(20, 5_000), () => {}],
		['the window was closed', report(20, MINUTE), (window) => window.close()],
	])('opens a new window if %s', (_, headers, end) => {
		const window = opened(headers);
		end(window);
		const later = NOW + 5_000;
		expect(window.nextSlot(later).at).toBeLessThanOrEqual(later);
		window.sent(later);
		expect(window.nextSlot(later).at).toBe(later + 2_000);
	});
});

describe('RateWindow: responses', () => {
	it('never raises the number of requests left in a window', () => {
		const remaining = fc.array(fc.integer({ min: 0, max: 60 }), { minLength: 1, maxLength: 30 });
		fc.assert(
			fc.property(remaining, (answers) => {
				const window = opened(report(20, MINUTE));
				const sent = answers.flatMap(() =>
					window.nextSlot(NOW).at <= NOW ? [window.sent(NOW)] : [],
				);
				sent.forEach((request, at) => window.answered(request, report(answers[at]!, MINUTE), NOW));
				const smallest = Math.min(20, ...answers.slice(0, sent.length));
				expect(sent.length + room(window)).toBeLessThanOrEqual(20);
				expect(room(window)).toBeLessThanOrEqual(smallest);
			}),
		);
	});

	it('ignores responses to requests of an earlier window', () => {
		const window = opened(report(20, 5_000));
		const late = window.sent(NOW);
		window.nextSlot(NOW + 5_000);
		const first = window.sent(NOW + 5_000);
		window.answered(late, report(0, MINUTE), NOW + 5_000);
		window.answered(first, report(9, MINUTE, NOW + 5_000), NOW + 5_000);
		expect(room(window, NOW + 5_000)).toBe(8);
	});
});

describe('RateWindow: waiting', () => {
	it.each<[string, RateReport]>([
		['a reset in local time, three hours ahead', { limit: 30, ...report(0, 3 * HOUR) }],
		['a reset 31 days ahead', report(0, 31 * 24 * HOUR)],
		['no reset', report(0)],
		['a reset in the past', report(0, -24 * HOUR)],
	])('waits at most one documented window after a response with %s', (_, headers) => {
		for (const rate of [DOCUMENTED, WITH_QUOTA]) {
			const next = opened(headers, rate).nextSlot(NOW);
			expect(next.at).toBeGreaterThan(NOW);
			expect(next.at).toBeLessThanOrEqual(NOW + MINUTE);
		}
	});

	it('waits for a reset that was rounded up by as much as a second', () => {
		const { at } = opened(report(0, MINUTE + 1_000)).nextSlot(NOW);
		expect(at).toBe(NOW + MINUTE + 1_000);
	});

	it('opens at once if the announced end passes before the response arrives', () => {
		expect(opened(report(0, -500)).nextSlot(NOW).at).toBeLessThanOrEqual(NOW);
	});

	const pending = () => {
		const window = new RateWindow(DOCUMENTED);
		window.sent(NOW);
		return window;
	};

	it.each<[string, () => RateWindow]>([
		['before a response', pending],
		['after a response with headers', () => opened(report(0, MINUTE))],
		['after a response without headers', () => opened({}, { limit: 1, windowMs: MINUTE })],
	])('doesn’t wait longer %s if the clock is set back', (_, windowAt) => {
		const window = windowAt();
		const before = NOW - 5 * HOUR;
		expect(window.nextSlot(before).at).toBeLessThanOrEqual(before);
	});
});

// pacing.test.ts covers that no window has more requests than documented.
describe('RateWindow: no usable headers', () => {
	it('sends nothing more while all allowed requests are in flight, until the window ends', () => {
		const window = opened({}, { limit: 2, windowMs: MINUTE });
		const later = NOW + MINUTE;
		expect(room(window, later)).toBe(2);
		expect(window.nextSlot(later + 1)).toEqual({ at: later + MINUTE, limited: false });
		expect(room(window, later + MINUTE)).toBe(2);
	});

	it('reports the limit as the reason to wait once all allowed requests have ended', () => {
		const window = opened({}, { limit: 1, windowMs: MINUTE });
		expect(window.nextSlot(NOW)).toEqual({ at: NOW + MINUTE, limited: true });
	});

	it('doesn’t count a request that hangs in the next window', () => {
		const window = opened({}, { limit: 2, windowMs: MINUTE });
		window.sent(NOW);
		const later = NOW + MINUTE;
		window.answered(window.sent(later), {}, later);
		expect(window.nextSlot(later).at).toBeLessThanOrEqual(later);
	});

	it('uses a reported limit even without a remaining number', () => {
		const window = opened({ limit: 5 });
		expect(room(window)).toBe(4);
	});

	it('needs little memory even with a high limit', () => {
		const window = opened({ limit: 1_000_000_000 });
		for (let at = 0; at < 100_000; at++) {
			const now = NOW + at * 100;
			window.answered(window.sent(now), {}, now);
		}
		// 600 requests a minute.
		expect(JSON.stringify(window).length).toBeLessThan(30_000);
	});
});
