import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { connectionOf } from '../../../nodes/shared/http/connection';
import type { FailureKind } from '../../../nodes/shared/http/failures';
import type { RateReport } from '../../../nodes/shared/http/headers';
import { readResponse } from '../../../nodes/shared/http/response';
import { node, service } from './scriptedHost';

const credentials = { baseUrl: 'https://x.example', apiKey: 'c0ffee42' };
const connection = connectionOf(node, service, credentials);
const MESSAGES = readFileSync(join(__dirname, 'messages.txt'), 'utf8');

/** The messages below a heading of the file. */
function messagesAbout(heading: string): string[] {
	const [, section = ''] = MESSAGES.split(`# ${heading}\n\n`);
	return section.split('\n\n')[0]!.trim().split('\n');
}

function read(statusCode: number, message: string, report: RateReport = {}, error = 1) {
	const sent = { method: 'GET', path: '/api/qr/5' } as const;
	const body = JSON.stringify({ error, message });
	return readResponse(connection, sent, { statusCode, headers: {}, body }, report);
}

describe('readResponse: limits on requests', () => {
	const cases = (heading: string, rejectedFor?: 'window' | 'day') =>
		messagesAbout(heading).map((message) => [heading, message, rejectedFor] as const);

	it.each([
		...cases('a limit on requests', 'window'),
		...cases('a limit on the requests of a day', 'day'),
		...cases('no limit on requests'),
		['no limit on requests', '', undefined] as const,
	])('sees %s in "%s" with status 200, 402 and 403', (_, message, rejectedFor) => {
		for (const status of [200, 402, 403]) {
			expect(read(status, message).rejectedFor).toBe(rejectedFor);
		}
		for (const status of [400, 404, 422, 500]) {
			expect(read(status, message)).toHaveProperty('error');
		}
		expect(read(429, message).rejectedFor).toEqual(rejectedFor ?? expect.any(String));
	});

	it.each<[status: number, message: string, remaining: number, outcome: string]>([
		[403, 'Rate limit exceeded', 3, 'error'],
		[403, 'Daily quota exceeded', 3, 'rejectedFor'],
		[403, 'Rate limit exceeded', 0, 'rejectedFor'],
		[429, 'Rate limit exceeded', 3, 'rejectedFor'],
	])('status %d with "%s" and %d requests left is read as "%s"', (...row) => {
		const [status, message, remaining, outcome] = row;
		expect(read(status, message, { remaining })).toHaveProperty(outcome);
	});

	it('a success that speaks of a limit is a success', () => {
		const message = 'Quota: 5 of 100 requests used today';
		expect(read(200, message, {}, 0)).toEqual({ body: { error: 0, message } });
	});
});

describe('readResponse: rejected keys', () => {
	/** Whether the response rejects the key, as opposed to this request. */
	const rejectsKey = (status: number, message: string) =>
		read(status, message).error?.failure?.cause === 'credential-invalid';

	it.each(messagesAbout('a wrong key'))(
		'"%s" rejects the key with status 200, 400, 401 and 403',
		(message) => {
			for (const status of [200, 400, 401, 403]) expect(rejectsKey(status, message)).toBe(true);
			expect(rejectsKey(422, message)).toBe(false);
		},
	);

	it.each([...messagesAbout('this request'), 'No'])(
		'"%s" rejects the key only with status 401',
		(message) => {
			for (const status of [200, 400, 403]) expect(rejectsKey(status, message)).toBe(false);
			expect(rejectsKey(401, message)).toBe(true);
		},
	);

	it.each<[status: number, message: string, kind: FailureKind]>([
		[403, 'Forbidden', 'denied'],
		[403, 'Not part of your plan', 'denied'],
		[403, 'Invalid API key', 'key'],
		[400, 'Not part of your plan', 'rejected'],
	])('status %d with "%s" is read as "%s"', (status, message, kind) => {
		expect(read(status, message).error?.kind).toBe(kind);
	});
});

describe('readResponse: what isn’t found', () => {
	const kindOf = (message: string, error: number) => read(404, message, {}, error).error?.kind;

	it.each([
		...messagesAbout('an unknown address').map((message) => [message, 'noSuchPage']),
		...messagesAbout('an unknown address, unless the API itself says it').map((message) => [
			message,
			'notFound',
		]),
	])(
		'"%s" may be about the address, and from the API itself it’s read as "%s"',
		(message, kind) => {
			expect(kindOf(message, 0)).toBe('noSuchPage');
			expect(kindOf(message, 1)).toBe(kind);
		},
	);
});

describe('readResponse: an answer of something in front of the service', () => {
	const basic = { 'www-authenticate': 'Basic realm="x"' };
	const kindOf = (statusCode: number, body: string, headers = {}) => {
		const sent = { method: 'POST', path: '/api/qr' } as const;
		return readResponse(connection, sent, { statusCode, headers, body }, {}).error?.kind;
	};

	it.each<[what: string, kind: FailureKind, ...Parameters<typeof kindOf>]>([
		['JSON that asks for a login', 'blocked', 401, '{"error":"Unauthorized"}', basic],
		['the service’s own JSON beside such a header', 'key', 401, '{"error":1}', basic],
		['a firewall’s error code', 'blocked', 403, 'error code: 1020'],
		['a page of a web server without the method', 'blocked', 405, '<html>405 Not Allowed'],
		[
			'a page on a port for HTTPS',
			'address',
			400,
			'<html>The plain HTTP request was sent to HTTPS port',
		],
		[
			'a line on a port for HTTPS',
			'address',
			400,
			'Client sent an HTTP request to an HTTPS server.',
		],
	])('%s is read as "%s"', (_, kind, ...answer) => {
		expect(kindOf(...answer)).toBe(kind);
	});
});

test.each(['http://x.example', 'https://www.x.example'])(
	'a redirect from %s to the same path at https://x.example is advised',
	(baseUrl) => {
		const from = connectionOf(node, service, { ...credentials, baseUrl });
		const sent = { method: 'GET', path: '/api/qr' } as const;
		const headers = { location: 'https://x.example/api/qr' };
		const { error } = readResponse(from, sent, { statusCode: 301, headers, body: '' }, {});
		expect(error?.description).toMatch(/^Enter https:\/\/x\.example as the Base URL\./);
	},
);
