import type { Failure } from 'n8n-workflow';

/** Invalid input, found before anything is sent. */
export class InputError extends Error {
	constructor(
		/** What is wrong, with the parameter's display name. */
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
	/** HTTP status as text, for n8n's `httpCode`; absent if there was no response. */
	readonly httpCode?: string;
	/** Why it failed, in the words that n8n's scheduler understands. */
	readonly failure?: Failure;
	/** The body has the field `success`, so the API itself answered. */
	readonly hasEnvelope?: boolean;
	/** The service confirmed the request, but nothing else can be read in its response. */
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

/** Thrown to a waiting request when its signal fires. */
export class CancelledError extends Error {
	constructor() {
		super('The request was cancelled before it was sent');
	}
}
