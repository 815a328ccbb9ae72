/** One line of a part's table, by column. */
export type Row = Record<string, string | number>;

/** The results of a part. */
export interface Findings {
	/** How it was measured, in one or two sentences. */
	setting: string;
	rows: Row[];
	/** The project's targets, and whether it met them. */
	targets: Row[];
}

/** Measures a part and reports its progress. */
export type Part = (rounds: number, report: (line: string) => void) => Promise<Findings>;

/** A row that compares a number with its target, e.g. `target(ms, 'at most', 50, 'Time', 'ms')`. */
export function target(
	measured: number,
	bound: 'at least' | 'at most',
	wanted: number,
	what: string,
	unit = 'x',
): Row {
	const met = bound === 'at least' ? measured >= wanted : measured <= wanted;
	return {
		Target: `${what}: ${bound} ${wanted} ${unit}`,
		Measured: `${rounded(measured)} ${unit}`,
		'': met ? 'met' : '**missed**',
	};
}

/** More than three digits would be noise. */
export function rounded(value: number): number {
	return Math.abs(value) >= 100 ? Math.round(value) : Number(value.toPrecision(3));
}

export function median(values: readonly number[]): number {
	const sorted = [...values].sort((a, b) => a - b);
	const middle = sorted.length / 2;
	const [low, high] = [sorted[Math.ceil(middle) - 1], sorted[Math.floor(middle)]];
	if (low === undefined || high === undefined) throw new Error('No values to take a median of');
	return (low + high) / 2;
}

/**
 * How many times as long `one` took as `other`. It's the median of each round's ratio, because a
 * disturbance in a round affects both.
 */
export function ratio(one: readonly number[], other: readonly number[]): number {
	return median(one.map((value, round) => value / other[round]!));
}

/**
 * Measures several variants in turn. Each round starts with a different variant, so that other
 * programs on the machine affect all of them equally. A warm-up round isn't counted.
 *
 * @returns the results of each variant, in the order of the rounds
 */
export async function interleave<T>(
	variants: Record<string, () => Promise<T>>,
	rounds: number,
): Promise<Record<string, T[]>> {
	const names = Object.keys(variants);
	const results: Record<string, T[]> = Object.fromEntries(names.map((name) => [name, []]));
	for (let round = -1; round < rounds; round++) {
		for (let offset = 0; offset < names.length; offset++) {
			const name = names[(offset + Math.max(round, 0)) % names.length]!;
			const result = await variants[name]!();
			if (round >= 0) results[name]!.push(result);
		}
	}
	return results;
}
