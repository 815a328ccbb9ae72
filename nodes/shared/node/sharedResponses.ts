import { ServiceError } from '../http/errors';

/** Enough for 32,000 companies of a kilobyte each. */
export const MAX_BYTES = 32_000_000;
/** The approximate size of an error. */
const ERROR_BYTES = 2_000;

/** A response as UTF-8 JSON, which takes a fifth of the memory that the objects would. */
interface Shared {
	json: Promise<Buffer>;
	/** 0 until the response has arrived. */
	bytes: number;
}

/** The responses to a run's GETs, so that identical ones are sent only once. */
export class SharedResponses {
	/** Least recently used first. */
	private readonly responses = new Map<string, Shared>();
	private bytes = 0;

	/**
	 * Sends a GET. If the run has already sent the same one, returns a copy of its response instead.
	 *
	 * @param key identifies the request, including its account
	 * @param fresh sends the request anyway; later items get the new response
	 */
	async get(key: string, send: () => Promise<unknown>, fresh = false): Promise<unknown> {
		const known = fresh ? undefined : this.responses.get(key);
		if (known) {
			this.put(key, known);
			return JSON.parse((await known.json).toString()) as unknown;
		}
		const response = send();
		const json = response.then((body) => Buffer.from(JSON.stringify(body)));
		const shared = { json, bytes: 0 };
		this.put(key, shared);
		json.then(
			({ length }) => this.keep(key, shared, length),
			(error: unknown) => {
				if (isLimitError(error)) this.remove(key, shared);
				else this.keep(key, shared, ERROR_BYTES);
			},
		);
		return await response;
	}

	private put(key: string, shared: Shared): void {
		const before = this.responses.get(key);
		if (before) this.remove(key, before);
		this.responses.set(key, shared);
		this.bytes += shared.bytes;
	}

	private remove(key: string, shared: Shared): void {
		if (this.responses.get(key) !== shared) return;
		this.responses.delete(key);
		this.bytes -= shared.bytes;
	}

	private keep(key: string, shared: Shared, bytes: number): void {
		if (this.responses.get(key) !== shared) return;
		shared.bytes = bytes;
		this.bytes += bytes;
		for (const [oldest, { bytes }] of this.responses) {
			if (this.bytes <= MAX_BYTES) return;
			if (bytes > 0) this.remove(oldest, this.responses.get(oldest)!);
		}
	}
}

/** A request that failed because of the limit may succeed for a later item. */
function isLimitError(error: unknown): boolean {
	const cause = error instanceof ServiceError ? error.failure?.cause : undefined;
	return cause === 'rate-limited' || cause === 'quota-exhausted';
}
