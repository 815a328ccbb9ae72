/** A stream of pseudo-random numbers that is the same on every machine and in every run. */
export class SeededRandom {
	private state: number;

	constructor(seed: string) {
		this.state = hashText(seed);
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

/** FNV-1a, 32 bits. */
export function hashText(text: string): number {
	let hash = 0x811c9dc5;
	for (let i = 0; i < text.length; i++) {
		hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
	}
	return hash >>> 0;
}
