import { ServiceError } from '../shared/http/errors';

/**
 * The requests of one poll. They end when the poll's time is over or when one fails; what was read
 * until then counts, and the next poll continues from there. The first request is always made.
 */
export class PageReader {
	/** Why the reading ended early, where a request failed. */
	failure: ServiceError | undefined;
	private started = false;
	private ended = false;

	constructor(private readonly time: { readonly over: boolean }) {}

	/** Whether a request was not made or failed, so that the poll may have seen only a part. */
	get cutShort(): boolean {
		return this.ended;
	}

	/**
	 * Makes one request.
	 *
	 * @returns undefined when the poll must end without its response
	 */
	async read<T>(request: () => Promise<T>): Promise<T | undefined> {
		if (this.ended || (this.started && this.time.over)) {
			this.ended = true;
			return undefined;
		}
		this.started = true;
		return await request().catch(async (error: unknown) => {
			if (!(error instanceof ServiceError)) return await Promise.reject(error as Error);
			this.failure = error;
			this.ended = true;
			return undefined;
		});
	}
}
