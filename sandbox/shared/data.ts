/** A stream of pseudo-random numbers that is the same on every machine and in every run. */
export class SeededRandom {
	private state: number;

	constructor(seed: string) {
		// FNV-1a, 32 bits.
		this.state = [...seed].reduce(
			(hash, character) => Math.imul(hash ^ character.charCodeAt(0), 0x01000193),
			0x811c9dc5,
		);
	}

	/** A number from 0 (included) to 1 (excluded). Mulberry32: small, fast, good enough for data. */
	next(): number {
		this.state = (this.state + 0x6d2b79f5) | 0;
		let mixed = Math.imul(this.state ^ (this.state >>> 15), 1 | this.state);
		mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
		return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
	}

	/** An integer from `min` to `max`, both included. */
	integer(min: number, max: number): number {
		return min + Math.floor(this.next() * (max - min + 1));
	}

	pick<T>(choices: readonly T[]): T {
		return choices[this.integer(0, choices.length - 1)] as T;
	}

	chance(probability: number): boolean {
		return this.next() < probability;
	}
}

/** Removes case and diacritics. */
export function fold(text: string): string {
	return text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();
}

/** `YYYY-MM-DD HH:MM:SS`, the date-time of the link-management API, in UTC. */
export function toDateTime(ms: number): string {
	return new Date(ms).toISOString().slice(0, 19).replace('T', ' ');
}

/** `YYYY-MM-DD` in UTC. */
export function toDate(ms: number): string {
	return new Date(ms).toISOString().slice(0, 10);
}

/** Whether the text is `YYYY-MM-DD` and such a day exists. */
export function isDate(text: string): boolean {
	if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return false;
	const ms = Date.parse(`${text}T00:00:00Z`);
	return !Number.isNaN(ms) && toDate(ms) === text;
}

/** The date of the newest generated record, so that data doesn't depend on the day of the run. */
export const DATA_END_MS = Date.UTC(2025, 8, 30, 16, 0, 0);
