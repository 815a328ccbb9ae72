import type { Request } from 'express';
import { z } from 'zod';
import { checked, ServiceError } from './checks';
import type { LoggedRequest } from './log';

/** What a handler may need in addition to the validated input. */
export interface Exchange {
	req: Request;
	logged: LoggedRequest;
	/** The accepted key. */
	key: string;
}

/** The validated input of an endpoint. */
export interface Input<P extends z.ZodTypeAny, Q extends z.ZodTypeAny, B extends z.ZodTypeAny> {
	params: z.infer<P>;
	query: z.infer<Q>;
	body: z.infer<B>;
}

/** One documented call. A part without a schema accepts nothing. */
export interface Endpoint<
	P extends z.ZodTypeAny = z.ZodTypeAny,
	Q extends z.ZodTypeAny = z.ZodTypeAny,
	B extends z.ZodTypeAny = z.ZodTypeAny,
> {
	method: 'get' | 'post' | 'put' | 'delete';
	path: string;
	/** What it does, for the OpenAPI document. */
	does: string;
	params?: P;
	query?: Q;
	body?: B;
	/** The response's own fields, where the services' documents show them. */
	response?: z.ZodTypeAny;
	/** Leaves the body to the handler, as a stream. */
	streamed?: boolean;
	/** Whether it counts only against the rate limit, not against the quota. */
	outsideQuota?: boolean;
	/** Returns the response without the service's mark of success. */
	handle(input: Input<P, Q, B>, exchange: Exchange): unknown;
}

const NOTHING = z.object({}).strict();

type Call = `${'GET' | 'POST' | 'PUT' | 'DELETE'} ${string}`;

/** Declares an endpoint, with the types of its schemas known to its handler. */
export function endpoint<
	P extends z.ZodTypeAny = typeof NOTHING,
	Q extends z.ZodTypeAny = typeof NOTHING,
	B extends z.ZodTypeAny = typeof NOTHING,
>(
	call: Call,
	does: string,
	declared: Omit<Endpoint<P, Q, B>, 'method' | 'path' | 'does'>,
): Endpoint {
	const [method = '', path] = call.split(' ');
	return { method: method.toLowerCase(), path, does, ...declared } as unknown as Endpoint;
}

/** @throws a `badRequest` error that names the wrong field */
export function inputOf(
	{ params, query, body, streamed }: Endpoint,
	{ req, logged }: Exchange,
): Input<z.ZodTypeAny, z.ZodTypeAny, z.ZodTypeAny> {
	return {
		params: checked(params ?? NOTHING, { ...req.params }, 'path parameter'),
		query: checked(query ?? NOTHING, { ...req.query }, 'query parameter'),
		body: streamed ? {} : checkedBody(body ?? NOTHING, req, logged),
	};
}

function checkedBody(schema: z.ZodTypeAny, req: Request, logged: LoggedRequest): unknown {
	if (logged.bodyBytes > 0 && !req.is('application/json')) {
		throw new ServiceError('badRequest', 'The body must be sent as application/json');
	}
	if (typeof logged.body === 'string') {
		throw new ServiceError('badRequest', 'The body is not valid JSON');
	}
	return checked(schema, logged.body ?? {}, 'field');
}
