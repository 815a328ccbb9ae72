import fc from 'fast-check';
import { NodeApiError, type IHttpRequestMethods } from 'n8n-workflow';

import { connectionOf } from '../../../nodes/shared/http/connection';
import type { ServiceError } from '../../../nodes/shared/http/errors';
import { networkError } from '../../../nodes/shared/http/failureOf';
import { readResponse } from '../../../nodes/shared/http/response';
import { backOff, MAX_ATTEMPTS, mayRetry } from '../../../nodes/shared/http/retry';
import { node, service } from './scriptedHost';

const credentials = { baseUrl: 'https://x.example', apiKey: 'c0ffee42' };
const connection = connectionOf(node, service, credentials);
const sent = { method: 'GET', path: '/api/qr/5' } as const;

const METHODS: IHttpRequestMethods[] = ['GET', 'PUT', 'POST', 'DELETE', 'PATCH'];

const repeated = (error: ServiceError) => METHODS.filter((method) => mayRetry(method, error));

describe('mayRetry', () => {
	it('retries GET and PUT after 502, 503, 504 and 520 to 530, and nothing after any other status', () => {
		for (let statusCode = 300; statusCode < 600; statusCode++) {
			const { error } = readResponse(connection, sent, { statusCode, headers: {}, body: '' }, {});
			// A 429 isn't an error, but a rejection.
			if (!error) continue;
			const isPassing = [502, 503, 504].includes(statusCode) || /^5(2\d|30)$/.test(`${statusCode}`);
			const safe = isPassing ? ['GET', 'PUT'] : [];
			expect([statusCode, repeated(error)]).toEqual([statusCode, safe]);
		}
	});

	const interrupted =
		'ECONNRESET ECONNABORTED EPIPE EHOSTUNREACH ENETUNREACH ERR_BAD_RESPONSE'.split(' ');
	const permanent = ['ENOTFOUND', 'CERT_HAS_EXPIRED', 'ERR_INVALID_URL', 'invalid'];
	const slow = ['ETIMEDOUT', 'ECONNABORTED: timeout of 3 s exceeded'];

	it.each<[what: string, methods: string[], failures: string[]]>([
		['retries every method if nothing was sent', METHODS, ['ECONNREFUSED', 'EAI_AGAIN']],
		['retries only GET and PUT if the request may have been sent', ['GET', 'PUT'], interrupted],
		['retries nothing that would fail again', [], permanent],
		['retries nothing that took minutes', [], slow],
	])('%s', (_, methods, failures) => {
		for (const each of failures) {
			const [code, message = code] = each.split(': ');
			const failure = Object.assign(new Error(message), { code });
			const wrapped = new Error('Wrapped', { cause: failure });
			const inNode = new NodeApiError(node, failure as never);
			for (const thrown of [failure, wrapped, inNode]) {
				const error = networkError(connection, sent, thrown);
				expect([failure.message, repeated(error)]).toEqual([failure.message, methods]);
			}
		}
	});
});

describe('backOff', () => {
	const broken = networkError(connection, sent, Object.assign(new Error(), { code: 'EPIPE' }));

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
