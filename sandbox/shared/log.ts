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
	/** Status of the response; 0 as long as there is none, and after a cut connection. */
	status: number;
	/** Milliseconds since the epoch, by the sandbox's clock. */
	at: number;
}

/** The log entry of a request. Its status is set when the response's head is written. */
export function logEntry(service: string, req: Request, res: Response, at: number): LoggedRequest {
	const { method, headers, originalUrl: rawPath } = req;
	const path = decoded(req.path);
	const query = { ...req.query };
	const entry: LoggedRequest = {
		...{ service, method, path, rawPath, query, headers },
		...{ body: undefined, bodyBytes: 0, status: 0, at },
	};
	const writeHead = res.writeHead.bind(res) as (...args: unknown[]) => Response;
	res.writeHead = ((...args: unknown[]) => {
		entry.status = typeof args[0] === 'number' ? args[0] : res.statusCode;
		return writeHead(...args);
	}) as typeof res.writeHead;
	return entry;
}

function decoded(path: string): string {
	try {
		return decodeURIComponent(path);
	} catch {
		return path;
	}
}
