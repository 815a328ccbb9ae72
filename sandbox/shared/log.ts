import type { Request, Response } from 'express';

/** A request as the service received it. */
export interface LoggedRequest {
	/** `links`, `registry.v1` or `registry.unversioned`. */
	service: string;
	method: string;
	/** Percent-decoded, without base path and query. */
	path: string;
	/** As sent, with base path and query. */
	rawPath: string;
	query: Record<string, unknown>;
	headers: Request['headers'];
	/** Parsed JSON, text that is not JSON, or undefined: no body, or one that is streamed. */
	body: unknown;
	/** Bytes of the body that were read. */
	bodyBytes: number;
	/** Status of the answer; 0 while there is none, and after a cut connection. */
	status: number;
	/** Milliseconds since the epoch, by the sandbox's clock. */
	at: number;
}

/** The newest requests, oldest first. */
export class RequestLog {
	private readonly entries: LoggedRequest[] = [];

	constructor(private readonly capacity: () => number) {}

	get requests(): readonly LoggedRequest[] {
		return this.entries;
	}

	/** Logs the request now; the status follows when the answer's head is written. */
	open(service: string, req: Request, res: Response, at: number): LoggedRequest {
		const entry: LoggedRequest = {
			service,
			method: req.method,
			path: decodePath(req.path),
			rawPath: req.originalUrl,
			query: { ...req.query },
			headers: req.headers,
			body: undefined,
			bodyBytes: 0,
			status: 0,
			at,
		};
		const writeHead = res.writeHead.bind(res) as (...args: unknown[]) => Response;
		res.writeHead = ((...args: unknown[]) => {
			entry.status = typeof args[0] === 'number' ? args[0] : res.statusCode;
			return writeHead(...args);
		}) as typeof res.writeHead;
		this.entries.push(entry);
		while (this.entries.length > this.capacity()) this.entries.shift();
		return entry;
	}

	clear(): void {
		this.entries.length = 0;
	}
}

function decodePath(path: string): string {
	try {
		return decodeURIComponent(path);
	} catch {
		return path;
	}
}
