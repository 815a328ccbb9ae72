import type { Request } from 'express';

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
	/** Parsed JSON, other text, or undefined if there is no body or it's streamed. */
	body: unknown;
	/** Bytes of the body that were read. */
	bodyBytes: number;
	/** Status of the response; 0 before it's sent, and after a cut connection. */
	status: number;
	/** Milliseconds since the epoch, by the sandbox's clock. */
	at: number;
}

/** The log entry of a request that has no response yet. */
export function logEntry(service: string, req: Request, at: number): LoggedRequest {
	const { method, headers, originalUrl: rawPath } = req;
	const received = { service, method, path: decoded(req.path), rawPath, query: { ...req.query } };
	return { ...received, headers, body: undefined, bodyBytes: 0, status: 0, at };
}

function decoded(path: string): string {
	try {
		return decodeURIComponent(path);
	} catch {
		return path;
	}
}
