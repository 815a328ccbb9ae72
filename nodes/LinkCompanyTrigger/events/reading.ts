import { ServiceError } from '../../shared/http/errors';

/** Says when a poll has to come to its end. */
export interface PollTime {
	readonly over: boolean;
}

/**
 * The requests of one poll. They end when the time is over or when one fails; what was read until
 * then counts, and the next poll goes on from there. The first request is always made.
 */
export class Reading {
	/** Why the reading ended early, where a request failed. */
	failure: ServiceError | undefined;
	private started = false;
	private ended = false;

	constructor(private readonly time: PollTime) {}

	/** Whether what the poll wanted to read may be incomplete. */
	get cutShort(): boolean {
		return this.ended;
	}

	/**
	 * Makes one request.
	 *
	 * @returns undefined when the poll must end without its answer
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
