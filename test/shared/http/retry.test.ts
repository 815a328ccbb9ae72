import fc from 'fast-check';
import type { IHttpRequestMethods } from 'n8n-workflow';

import { connectionOf } from '../../../nodes/shared/http/connection';
import type { ServiceError } from '../../../nodes/shared/http/errors';
import { failureOf } from '../../../nodes/shared/http/failureOf';
import { PHASES, type FailureTexts, type Phase } from '../../../nodes/shared/http/failures';
import { readResponse } from '../../../nodes/shared/http/response';
import { backOff, MAX_ATTEMPTS, mayRetry } from '../../../nodes/shared/http/retry';
import { node, service } from './scriptedHost';

const credentials = { baseUrl: 'https://x.example', apiKey: 'c0ffee42' };
const connection = connectionOf(node, service, credentials);
const sent = { method: 'GET', path: '/api/qr/5' } as const;

const METHODS: IHttpRequestMethods[] = ['GET', 'PUT', 'POST', 'DELETE', 'PATCH'];

const repeated = (error: ServiceError) => METHODS.filter((method) => mayRetry(method, error));

describe('mayRetry', () => {
	it('retries everything after 421 and 425, GET and PUT after 408, 502, 503, 504 and 520 to 530, and nothing after any other status', () => {
		for (let statusCode = 300; statusCode < 600; statusCode++) {
			// Web servers, proxies and firewalls answer with pages.
			const answer = { statusCode, headers: {}, body: '<html>' };
			const { error } = readResponse(connection, sent, answer, {});
			// A 429 isn't an error, but a rejection.
			if (!error) continue;
			const isPassing = /^(408|50[234]|52\d|530)$/.test(`${statusCode}`);
			const safe = isPassing ? ['GET', 'PUT'] : [];
			const methods = [421, 425].includes(statusCode) ? METHODS : safe;
			expect([statusCode, repeated(error)]).toEqual([statusCode, methods]);
		}
	});

	it('retries what the table of phases allows', () => {
		for (const [phase, facts] of Object.entries<FailureTexts>(PHASES)) {
			const error = failureOf(connection, sent, phase as Phase);
			const safe = facts.carriedOut === 'no' ? METHODS : ['GET', 'PUT'];
			expect([phase, repeated(error)]).toEqual([phase, facts.passesSoon ? safe : []]);
		}
	});
});

describe('backOff', () => {
	const broken = failureOf(connection, sent, 'sending');

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

	it('two workflows that failed together don’t retry together', () => {
		jest.spyOn(Math, 'random').mockReturnValueOnce(0.1).mockReturnValueOnce(0.9);
		expect(backOff(2, broken)).not.toBe(backOff(2, broken));
	});
});
