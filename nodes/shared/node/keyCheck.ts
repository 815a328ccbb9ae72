import { CancelledError, ServiceError } from '../http/errors';

/** Fewer rejections may concern only individual records. */
const REJECTIONS = 10;

/**
 * Detects a key that is always rejected. Without this, a run of thousands of items that continues on
 * errors would try the key with each of them, as slowly as the rate limit allows.
 */
export class KeyCheck {
	/** Fires when the key does not work, or when the run ends. */
	readonly signal: AbortSignal;
	private readonly failed = new AbortController();
	private error: ServiceError | undefined;
	private rejectionsInRow = 0;

	constructor(run: AbortSignal) {
		this.signal = AbortSignal.any([run, this.failed.signal]);
	}

	/** The result of a request that was sent with the signal. */
	async track<T>(response: Promise<T>): Promise<T> {
		const body = await response.catch((error: unknown) => {
			const known = error instanceof CancelledError ? this.error : undefined;
			if (error instanceof ServiceError) this.countRejection(error);
			throw known ?? error;
		});
		this.rejectionsInRow = 0;
		return body;
	}

	private countRejection(error: ServiceError): void {
		this.rejectionsInRow =
			error.failure?.cause === 'credential-invalid' ? this.rejectionsInRow + 1 : 0;
		if (this.rejectionsInRow < REJECTIONS) return;
		this.error ??= error;
		this.failed.abort();
	}
}
