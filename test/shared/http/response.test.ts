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

	it('a 429 because of another daily limit doesn’t block the key for the day', () => {
		expect(read(429, 'Daily limit of uploads reached').rejectedFor).toBe('window');
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

	it('"Not found" with the name of a record is about the record', () => {
		expect(kindOf('Not found: no such link', 0)).toBe('notFound');
	});
});

it.each([
	[1, true],
	[0, false],
])('an error with the field "error": %d comes from the API itself: %p', (field, isOwn) => {
	expect(read(409, 'No', {}, field).error?.hasEnvelope).toBe(isOwn);
});

describe('readResponse: an answer of something in front of the service', () => {
	const asking = (header: string) => ({ 'www-authenticate': header });
	const basic = asking('Basic realm="x"');
	const kindOf = (statusCode: number, body: string, headers = {}) => {
		const sent = { method: 'POST', path: '/api/qr' } as const;
		return readResponse(connection, sent, { statusCode, headers, body }, {}).error?.kind;
	};

	it.each<[what: string, kind: FailureKind, ...Parameters<typeof kindOf>]>([
		['JSON that asks for a login', 'blocked', 401, '{"error":"Unauthorized"}', basic],
		['text that asks for another kind of login', 'blocked', 401, 'No', asking('Digest realm="x"')],
		['a 403 that asks for a login', 'blocked', 403, '{"error":"Forbidden"}', asking('Negotiate')],
		['a login of Windows', 'blocked', 401, '', asking('NTLM')],
		['a page that begins with its type', 'blocked', 403, '\n<!DOCTYPE html><title>No</title>'],
		['a page in XML', 'blocked', 403, '<?xml version="1.0"?><a>No</a>'],
		['a page that begins with its head', 'blocked', 403, '<head><title>No</title></head>'],
		['a page that begins with its body', 'blocked', 403, '<BODY>No</BODY>'],
		['the service’s own JSON beside such a header', 'key', 401, '{"error":1}', basic],
		['a firewall’s error code', 'blocked', 403, 'error code: 1020'],
		['a page without a head', 'blocked', 401, '<h1>401 Authorization Required</h1>'],
		['a page after a comment', 'blocked', 403, '<!-- 17 --><!DOCTYPE html>No'],
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

test.each([
	['http://x.example', 'https://x.example/api/qr', 'Enter https://x.example as the Base URL.'],
	[
		'http://x.example/links',
		'https://x.example/',
		'Enter https://x.example/links as the Base URL.',
	],
	['http://x.example/links', '/', "Check the credential's Base URL."],
	['https://www.x.example', 'https://x.example/api/qr', 'Enter https://x.example as the Base URL.'],
	['http://www.x.example', 'http://x.example/api/qr', 'Enter http://x.example as the Base URL.'],
	['https://x.example/links', 'https://x.example/login', "Check the credential's Base URL."],
])('after a redirect from the Base URL %s to %s, the advice begins with "%s"', (...row) => {
	const [baseUrl, location, advice] = row;
	const from = connectionOf(node, service, { ...credentials, baseUrl });
	const sent = { method: 'GET', path: '/api/qr' } as const;
	const answer = { statusCode: 301, headers: { location }, body: '' };
	const { error } = readResponse(from, sent, answer, {});
	expect(error?.description?.slice(0, advice.length)).toBe(advice);
});

const sentence = (length: number) => 'No '.repeat(length / 3);

test.each<[string, string, quoted: boolean]>([
	['a sentence', sentence(300), true],
	['a long document', sentence(303), false],
	['markup', '<p>No', false],
	['a cut-off object', '{"a', false],
	['a cut-off list', '[No', false],
	['a cut-off text', '"No', false],
])('a rejection quotes %s: %p', (_, body, quoted) => {
	const sent = { method: 'GET', path: '/api/qr' } as const;
	const { error } = readResponse(connection, sent, { statusCode: 400, headers: {}, body }, {});
	expect(error?.message === body.trim()).toBe(quoted);
});
