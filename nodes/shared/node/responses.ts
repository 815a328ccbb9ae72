import { isOutOfRequests } from '../http/errors';

/** About 50 MB, since a letter takes up to two bytes. */
const MOST_LETTERS = 25_000_000;

interface KeptResponse {
	/** The body as JSON. Rejects with what has failed, which fails for later items as well. */
	text: Promise<string | undefined>;
	/** Known when the response has come. */
	letters: number;
}

/** The responses to a run's GETs, as texts, which take less memory than objects. The oldest are dropped first. */
export class Responses {
	private readonly kept = new Map<string, KeptResponse>();
	private letters = 0;

	constructor(private readonly mostLetters = MOST_LETTERS) {}

	/**
	 * Sends a GET, or returns a copy of the response if the same one has been sent before.
	 *
	 * @param fresh sends it anyway; later items get the new response
	 */
	async get(key: string, send: () => Promise<unknown>, fresh = false): Promise<unknown> {
		const known = fresh ? undefined : this.kept.get(key);
		if (known) return JSON.parse((await known.text) ?? 'null');
		const response = send();
		this.keep(key, response);
		return await response;
	}

	private keep(key: string, response: Promise<unknown>): void {
		const text = response.then((body) => JSON.stringify(body) as string | undefined);
		const kept: KeptResponse = { text, letters: 0 };
		this.drop(key);
		this.kept.set(key, kept);
		const count = (letters: number) => {
			// Meanwhile, it has been sent again.
			if (this.kept.get(key) !== kept) return;
			kept.letters = letters;
			this.letters += letters;
			for (const oldest of this.kept.keys()) {
				if (this.letters <= this.mostLetters) break;
				this.drop(oldest);
			}
		};
		text.then(
			(written = '') => count(key.length + written.length),
			(error: unknown) => {
				count(key.length);
				// It may succeed for a later item.
				if (isOutOfRequests(error) && this.kept.get(key) === kept) this.drop(key);
			},
		);
	}

	private drop(key: string): void {
		this.letters -= this.kept.get(key)?.letters ?? 0;
		this.kept.delete(key);
	}
}
