import fc from 'fast-check';
import { NodeApiError } from 'n8n-workflow';
import type { IHttpRequestMethods } from 'n8n-workflow';

import { backOff, MAX_ATTEMPTS, mayRetry, networkCode } from '../../../nodes/shared/http/retry';
import { node } from './scriptedHost';

const METHODS: IHttpRequestMethods[] = ['GET', 'PUT', 'POST', 'DELETE', 'PATCH'];

const repeated = (failure: Parameters<typeof mayRetry>[1]) =>
	METHODS.filter((method) => mayRetry(method, failure));

describe('mayRetry', () => {
	it('retries GET and PUT after 502, 503, 504 and 520 to 530, and nothing after any other status', () => {
		for (let status = 100; status < 600; status++) {
			const isPassing = [502, 503, 504].includes(status) || (status >= 520 && status <= 530);
			const safe = isPassing ? ['GET', 'PUT'] : [];
			expect([status, repeated({ status })]).toEqual([status, safe]);
		}
	});

	const interrupted =
		'ECONNRESET ECONNABORTED EPIPE EHOSTUNREACH ENETUNREACH ERR_BAD_RESPONSE'.split(' ');
	const permanent = ['ENOTFOUND', 'CERT_HAS_EXPIRED', 'ERR_INVALID_URL'];

	it.each<[what: string, methods: string[], codes: string[]]>([
		['retries every method if nothing was sent', METHODS, ['ECONNREFUSED', 'EAI_AGAIN']],
		['retries only GET and PUT if the request may have been sent', ['GET', 'PUT'], interrupted],
		['retries nothing that would fail again', [], permanent],
	])('%s', (_, methods, codes) => {
		for (const code of codes) expect([code, repeated({ code })]).toEqual([code, methods]);
	});

	const error = (code: string, message = code) => Object.assign(new Error(message), { code });

	it.each<[string, unknown]>([
		['itself', error('EPIPE')],
		['that is a cause', new Error('Wrapped', { cause: error('EPIPE') })],
		['inside an n8n error', new NodeApiError(node, error('EPIPE') as never)],
	])('reads the code of a network error %s', (_, thrown) => {
		expect(networkCode(thrown)).toBe('EPIPE');
	});

	it('doesn’t retry after a timeout, because it took minutes', () => {
		for (const timeout of [error('ETIMEDOUT'), error('ECONNABORTED', 'timeout of 3 s exceeded')]) {
			const code = networkCode(timeout)!;
			expect(code).toBe('ETIMEDOUT');
			expect(repeated({ code })).toEqual([]);
		}
	});

	it('finds no code in other errors', () => {
		expect(networkCode(new Error('No pairs'))).toBeUndefined();
		expect(networkCode(error('invalid'))).toBeUndefined();
	});
});

describe('backOff', () => {
	const broken = { code: 'ECONNRESET' };

	it('doubles the pause with each attempt, and varies it by up to half', () => {
		const attempt = fc.integer({ min: 2, max: MAX_ATTEMPTS });
		const chance = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true });
		fc.assert(
			fc.property(attempt, chance, (attempt, chance) => {
				const middle = 500 * 2 ** (attempt - 2);
				jest.spyOn(Math, 'random').mockReturnValue(chance);
				const pause = backOff(attempt, broken);
				expect(pause).toBeGreaterThanOrEqual(middle / 2);
				expect(pause).toBeLessThanOrEqual(middle * 1.5);
			}),
		);
	});
});
