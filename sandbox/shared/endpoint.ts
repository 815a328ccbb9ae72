import type { Request } from 'express';
import { z } from 'zod';
import { ServiceError } from './errors';
import type { Fault } from './faults';
import type { LoggedRequest } from './log';
import { parseOrExplain } from './validation';

/** What a handler may want to know beside the checked input. */
export interface Exchange {
	req: Request;
	logged: LoggedRequest;
	fault: Fault | undefined;
	/** The accepted key, or '' where none was needed. */
	key: string;
}

/** One documented call. A call without a schema for a part accepts nothing there. */
export interface Endpoint<P extends z.ZodTypeAny, Q extends z.ZodTypeAny, B extends z.ZodTypeAny> {
	method: 'get' | 'post' | 'put' | 'delete';
	path: string;
	params?: P;
	query?: Q;
	body?: B;
	/** Leaves the body to the handler, as a stream. */
	streamed?: boolean;
	/** Answers without a key, too. Looked at for every request. */
	keyOptional?: () => boolean;
	/** Counts against the rate limit, but not against a quota. */
	outsideQuota?: boolean;
	/** The body of the answer, without the service's mark of success. */
	handle(
		input: { params: z.infer<P>; query: z.infer<Q>; body: z.infer<B> },
		exchange: Exchange,
	): unknown;
}

/** Adds one call to a service. */
export type AddEndpoint = <
	P extends z.ZodTypeAny = typeof NOTHING,
	Q extends z.ZodTypeAny = typeof NOTHING,
	B extends z.ZodTypeAny = typeof NOTHING,
>(
	endpoint: Endpoint<P, Q, B>,
) => void;

/** An endpoint whose input is known at run time only. */
export type AnyEndpoint = Endpoint<z.ZodTypeAny, z.ZodTypeAny, z.ZodTypeAny>;

const NOTHING = z.object({}).strict();

/** The checked input of the endpoint, or a `badRequest` error that names the field at fault. */
export function checkInput(
	endpoint: AnyEndpoint,
	{ req, logged }: Exchange,
	hiddenQuery: readonly string[],
) {
	const query: Record<string, unknown> = { ...req.query };
	for (const name of hiddenQuery) delete query[name];
	return {
		params: parseOrExplain(endpoint.params ?? NOTHING, { ...req.params }, 'path parameter'),
		query: parseOrExplain(endpoint.query ?? NOTHING, query, 'query parameter'),
		body: endpoint.streamed ? {} : checkBody(endpoint.body ?? NOTHING, req, logged),
	};
}

function checkBody(schema: z.ZodTypeAny, req: Request, logged: LoggedRequest): unknown {
	if (logged.bodyBytes > 0 && !req.is('application/json')) {
		throw new ServiceError('badRequest', 'The body must be sent as application/json');
	}
	if (typeof logged.body === 'string') {
		throw new ServiceError('badRequest', 'The body is not valid JSON');
	}
	return parseOrExplain(schema, logged.body ?? {}, 'field');
}
