import { isOutOfRequests } from '../http/errors';

/** About 50 MB, since a letter takes up to two bytes. */
const MOST_LETTERS = 25_000_000;

/** The responses to a run's GETs, as JSON texts, which take less memory than objects. */
export class Responses {
	private readonly kept = new Map<string, Promise<string>>();
	private letters = 0;

	/** @param isRetried whether a GET that failed is sent again, as "Retry On Fail" expects */
	constructor(
		private readonly isRetried = false,
		private readonly mostLetters = MOST_LETTERS,
	) {}

	/**
	 * Sends a GET, or returns a copy of the response if the same one has been sent before.
	 *
	 * @param fresh sends it anyway; later items get the new response
	 */
	async get(key: string, send: () => Promise<unknown>, fresh = false): Promise<unknown> {
		const known = fresh ? undefined : this.kept.get(key);
		if (known) return JSON.parse(await known);
		const response = send();
		const text = response.then((body) => JSON.stringify(body));
		this.kept.set(key, text);
		text.then(
			({ length }) => this.count(length),
			(error: unknown) => {
				// Out of requests, it may succeed for a later item. Anything else fails for all of them.
				if (this.isRetried || isOutOfRequests(error)) this.kept.delete(key);
			},
		);
		return await response;
	}

	/** Starts over when the responses take too much memory. */
	private count(letters: number): void {
		this.letters += letters;
		if (this.letters <= this.mostLetters) return;
		this.kept.clear();
		this.letters = 0;
	}
}

const retried = new WeakMap<object, Responses>();

/**
 * What all tries of "Retry On Fail" share. n8n counts a try as failed if the first output item has a field
 * `error`, which can be a column of the input or a field of a record.
 *
 * @param executeData n8n's data of a node's execution, which it passes to all tries
 */
export function responsesOf(executeData: object): Responses {
	const responses = retried.get(executeData) ?? new Responses(true);
	retried.set(executeData, responses);
	return responses;
}
