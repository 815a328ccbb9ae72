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

	constructor(
		/** What happened. */
		message: string,
		details: Partial<
			Pick<ServiceError, 'description' | 'httpCode' | 'failure' | 'hasEnvelope' | 'isCarriedOut'>
		> = {},
	) {
		super(message);
		Object.assign(this, details);
	}
}

/** The request's signal fired before there was a response. */
export class CancelledError extends Error {
	constructor() {
		super('The request was cancelled before it was sent');
	}
}
