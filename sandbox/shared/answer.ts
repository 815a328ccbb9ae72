import type { Response } from 'express';
import type { Fault } from './faults';
import type { LoggedRequest } from './log';

/** The response of a service, before a fault changes it. */
export interface Answer {
	status: number;
	type: 'json' | 'html' | 'text';
	/** A value to serialize for `json`, text for other types. */
	body: unknown;
	headers?: Record<string, string>;
}

const CONTENT_TYPES = {
	json: 'application/json; charset=utf-8',
	html: 'text/html; charset=utf-8',
	text: 'text/plain; charset=utf-8',
};

/** A small web page, as web servers send it instead of JSON. */
export function htmlAnswer(status: number, title: string, text: string): Answer {
	const body = `<!doctype html>\n<html lang="en">\n<head><meta charset="utf-8"><title>${title}</title></head>
<body><h1>${title}</h1><p>${text.replace(/</g, '&lt;')}</p></body>\n</html>\n`;
	return { status, type: 'html', body };
}

/** Sends the response, changed by the fault, and logs its status. */
export function deliver(res: Response, answer: Answer, fault?: Fault): void {
	if (fault?.cut === 'before-any-byte') {
		res.socket?.destroy();
		return;
	}
	const { status, type, body } = fault ? contentBy(fault, answer) : answer;
	const payload = Buffer.from(type === 'json' ? JSON.stringify(body) : String(body));
	const { logged } = res.locals as { logged?: LoggedRequest };
	if (logged) logged.status = status;
	res.writeHead(status, {
		'Content-Type': CONTENT_TYPES[type],
		'Content-Length': payload.length,
		...answer.headers,
		...fault?.headers,
	});
	if (fault?.cut === 'mid-body')
		res.write(payload.subarray(0, Math.ceil(payload.length / 2)), () => res.socket?.destroy());
	else res.end(payload);
}

function contentBy({ status, body }: Fault, answer: Answer): Answer {
	if (status === undefined) return answer;
	if (body === undefined) return htmlAnswer(status, `Error ${status}`, 'The request failed.');
	return { status, type: typeof body === 'string' ? 'text' : 'json', body };
}
