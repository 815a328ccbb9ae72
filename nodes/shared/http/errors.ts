import type { Failure } from 'n8n-workflow';

/** The user's input is invalid. Usually thrown before anything is sent. */
export class InputError extends Error {
	constructor(
		/** What's wrong, naming the parameter as the panel does. */
		message: string,
		/** What to do about it. */
		readonly description?: string,
	) {
		super(message);
	}
}

/** The service, or the connection to it, failed. */
export class ServiceError extends Error {
	/** What to do about it. */
	readonly description?: string;
	/** The HTTP status as a string, as n8n expects it. Undefined if there was no response. */
	readonly httpCode?: string;
	/** The cause in n8n's terms. n8n's scheduler uses it to decide when to poll again. */
	readonly failure?: Failure;
	/**
	 * The body has a `success` field, so it comes from the API itself and not from a server in front
	 * of it.
	 */
	readonly hasEnvelope?: boolean;
	/** The service may have carried out the request, so a write must not be sent again. */
	readonly isCarriedOut?: boolean;
	/** See the function of the same name. */
	readonly isBareDenial?: boolean;

	constructor(
		/** What happened. */
		message: string,
		details: Partial<
			Pick<
				ServiceError,
				'description' | 'httpCode' | 'failure' | 'hasEnvelope' | 'isCarriedOut' | 'isBareDenial'
			>
		> = {},
	) {
		super(message);
		Object.assign(this, details);
	}
}

/** How web servers report an unknown URL, as opposed to a record that doesn't exist. */
const NO_SUCH_PAGE = /^(404:? )?(page )?not found\.?$/i;
/** How web frameworks report an unknown route, anywhere in the message. */
const NO_SUCH_ROUTE = /^cannot (get|post|put|delete)\b|\b(route|endpoint)\b/i;

/** The record or company doesn't exist, as opposed to a wrong address. */
export function isNotFound(error: unknown): error is ServiceError {
	if (!(error instanceof ServiceError) || error.failure) return false;
	const { httpCode, message, hasEnvelope } = error;
	if (httpCode !== '404' && httpCode !== '410') return false;
	return !NO_SUCH_ROUTE.test(message) && (hasEnvelope === true || !NO_SUCH_PAGE.test(message));
}

/** The same request may succeed later. */
export function isTemporary(error: unknown): error is ServiceError {
	return isOutOfRequests(error) || causeOf(error) === 'temporarily-unavailable';
}

/** The rate limit or the quota keeps the key from sending requests. */
export function isOutOfRequests(error: unknown): error is ServiceError {
	return ['rate-limited', 'quota-exhausted'].includes(causeOf(error) ?? '');
}

/** Other requests with the key fail as well: it's rejected, or out of requests. */
export function concernsKey(error: unknown): error is ServiceError {
	return isOutOfRequests(error) || causeOf(error) === 'credential-invalid';
}

/** A 403 that gives no reason. It may be about the key, or only about this request. */
export function isBareDenial(error: unknown): error is ServiceError {
	return error instanceof ServiceError && error.isBareDenial === true;
}

function causeOf(error: unknown): Failure['cause'] | undefined {
	return error instanceof ServiceError ? error.failure?.cause : undefined;
}

/** The request's signal fired before there was a response. */
export class CancelledError extends Error {
	constructor() {
		super('The request was cancelled before it was sent');
	}
}
