import type { ServiceError } from './errors';

/** What follows the requests of a sender, and may stop them. */
export interface Traffic {
	/** Called before each attempt. If it throws, nothing is sent and the request fails with that error. */
	before?(): void;
	/** Called when an attempt has failed, before the limiter lets other requests through. */
	failed?(error: ServiceError): void;
	/**
	 * Called when the rate limit delays a request. It may be called again while nothing has changed.
	 *
	 * @param until the end of the delay in ms since the epoch
	 */
	delayed?(until: number): void;
}
