import fc from 'fast-check';
import type { IHttpRequestMethods } from 'n8n-workflow';

import { backOff, MAX_ATTEMPTS, mayRetry } from '../../../nodes/shared/http/retry';

const METHODS: IHttpRequestMethods[] = ['GET', 'PUT', 'POST', 'DELETE', 'PATCH'];
const networkCode = (code: string) => ({ code, timedOut: false });

describe('another attempt', () => {
	it.each([502, 503, 504])('is safe for GET and PUT only, after status %d', (status) => {
		const repeated = METHODS.filter((method) => mayRetry(method, { status }));
		expect(repeated).toEqual(['GET', 'PUT']);
	});

	it('is never safe after other statuses', () => {
		const statuses = Array.from({ length: 500 }, (_, index) => 100 + index);
		const repeated = statuses.filter((status) =>
			METHODS.some((method) => mayRetry(method, { status })),
		);
		expect(repeated).toEqual([502, 503, 504]);
	});

	it.each(['ECONNREFUSED', 'EAI_AGAIN'])(
		'is always safe after %s, since nothing was sent',
		(code) => {
			expect(METHODS.every((method) => mayRetry(method, networkCode(code)))).toBe(true);
		},
	);

	it.each([
		'ECONNRESET',
		'EPIPE',
		'ECONNABORTED',
		'EHOSTUNREACH',
		'ENETUNREACH',
		'ERR_BAD_RESPONSE',
	])('after %s: for GET and PUT only, since it may have been carried out', (code) => {
		const repeated = METHODS.filter((method) => mayRetry(method, networkCode(code)));
		expect(repeated).toEqual(['GET', 'PUT']);
	});

	it.each(['ENOTFOUND', 'CERT_HAS_EXPIRED', 'ERR_INVALID_URL'])('is not made after %s', (code) => {
		expect(METHODS.some((method) => mayRetry(method, networkCode(code)))).toBe(false);
	});

	it('is not made after a timeout, because it took minutes', () => {
		expect(
			METHODS.some((method) => mayRetry(method, { code: 'ECONNABORTED', timedOut: true })),
		).toBe(false);
	});
});

describe('the pause before another attempt', () => {
	const broken = { code: 'ECONNRESET', timedOut: false };

	it('doubles, and varies by half', () => {
		const attempt = fc.integer({ min: 2, max: MAX_ATTEMPTS });
		const chance = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true });
		fc.assert(
			fc.property(attempt, chance, (attempt, chance) => {
				const middle = 500 * 2 ** (attempt - 2);
				const pause = backOff(attempt, broken, () => chance);
				expect(pause).toBeGreaterThanOrEqual(middle / 2);
				expect(pause).toBeLessThanOrEqual(middle * 1.5);
			}),
		);
	});

	it('is as long as the service requests, if that is longer', () => {
		expect(backOff(2, { status: 503, retryAfterMs: 9_000 })).toBe(9_000);
		expect(backOff(2, { status: 503, retryAfterMs: 0 })).toBeGreaterThan(0);
	});

	it('differs between workflows that failed together', () => {
		const pauses = Array.from({ length: 20 }, () => backOff(2, broken));
		expect(new Set(pauses).size).toBeGreaterThan(1);
	});
});
