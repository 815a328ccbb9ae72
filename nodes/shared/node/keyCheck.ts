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
		const body = await response.catch((error: unknown) => {
			const known = error instanceof CancelledError ? this.error : undefined;
			if (error instanceof ServiceError) this.note(error);
			throw known ?? error;
		});
		this.inRow = 0;
		return body;
	}

	private note(error: ServiceError): void {
		this.inRow = error.failure?.cause === 'credential-invalid' ? this.inRow + 1 : 0;
		if (this.inRow < REJECTIONS) return;
		this.error ??= error;
		this.failed.abort();
	}
}
