import { CancelledError, ServiceError } from '../http/errors';

/** Fewer rejections can be about single records. */
const REJECTIONS = 10;

/**
 * Notices that a key does not work at all, so that a run of thousands of items that continues on errors
 * does not send a request, at the pace of the rate limit, for each of them.
 */
export class KeyCheck {
	/** Fires when the key does not work, or when the run ends. */
	readonly signal: AbortSignal;
	private readonly failed = new AbortController();
	private error: ServiceError | undefined;
	private inRow = 0;

	constructor(run: AbortSignal) {
		this.signal = AbortSignal.any([run, this.failed.signal]);
	}

	/** The result of a request that was sent with the signal. */
	async watch<T>(response: Promise<T>): Promise<T> {
		try {
			const body = await response;
			this.inRow = 0;
			return body;
		} catch (error) {
			if (error instanceof CancelledError && this.error) throw this.error;
			if (!(error instanceof ServiceError)) throw error;
			this.inRow = error.failure?.cause === 'credential-invalid' ? this.inRow + 1 : 0;
			if (this.inRow >= REJECTIONS) {
				this.error ??= error;
				this.failed.abort();
			}
			throw error;
		}
	}
}
