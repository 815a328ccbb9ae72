import type { Response } from 'express';
import type { Fault } from './faults';
import { escapeHtml, htmlPage } from './html';

/** What a service wants to send, before any fault gets at it. */
export interface Answer {
	status: number;
	type: 'json' | 'html' | 'text';
	/** A value to serialise for `json`, text for the others. */
	body: unknown;
	headers?: Record<string, string>;
}

const CONTENT_TYPES = {
	json: 'application/json; charset=utf-8',
	html: 'text/html; charset=utf-8',
	text: 'text/plain; charset=utf-8',
};

/** A small web page. */
export function htmlAnswer(status: number, title: string, text: string): Answer {
	return {
		status,
		type: 'html',
		body: htmlPage(title, `<h1>${escapeHtml(title)}</h1><p>${escapeHtml(text)}</p>`),
	};
}

/** Sends the answer, spoilt by the fault if there is one. */
export function deliver(res: Response, answer: Answer, fault?: Fault): void {
	if (fault?.cut === 'before-any-byte') {
		res.socket?.destroy();
		return;
	}
	const spoilt = fault ? spoil(answer, fault) : answer;
	const text = spoilt.type === 'json' ? JSON.stringify(spoilt.body) : String(spoilt.body);
	const whole = Buffer.from(text);
	const payload = fault?.malformed === 'cut-off-json' ? firstHalf(whole) : whole;
	res.writeHead(spoilt.status, {
		'Content-Type': CONTENT_TYPES[spoilt.type],
		'Content-Length': payload.length,
		...spoilt.headers,
	});
	if (fault?.cut === 'mid-body') {
		res.write(firstHalf(payload), () => res.socket?.destroy());
		return;
	}
	res.end(payload);
}

function spoil(answer: Answer, fault: Fault): Answer {
	const headers = { ...answer.headers, ...fault.headers };
	if (fault.status !== undefined) return { ...statusAnswer(fault.status, fault.body), headers };
	switch (fault.malformed) {
		case 'html':
			return { ...htmlAnswer(200, 'Maintenance', 'We will be back in a minute.'), headers };
		case 'empty':
			return { ...answer, type: 'text', body: '', headers };
		case 'wrong-shape':
			return { ...answer, type: 'json', body: WRONG_SHAPE, headers };
		default:
			return { ...answer, headers };
	}
}

/** Right JSON, success by both services' marks, and nothing in it that a client can use. */
const WRONG_SHAPE = { error: 0, success: true, data: 'unexpected' };

function statusAnswer(status: number, body: unknown): Answer {
	if (body === undefined) return htmlAnswer(status, `Error ${status}`, 'The request failed.');
	return { status, type: typeof body === 'string' ? 'text' : 'json', body };
}

function firstHalf(payload: Buffer): Buffer {
	return payload.subarray(0, Math.ceil(payload.length / 2));
}
