export function median(values: readonly number[]): number {
	const sorted = [...values].sort((a, b) => a - b);
	const middle = sorted.length / 2;
	const [low, high] = [sorted[Math.ceil(middle) - 1], sorted[Math.floor(middle)]];
	if (low === undefined || high === undefined) throw new Error('No values to take a median of');
	return (low + high) / 2;
}

/**
 * Measures several variants, one after the other in each round and each round beginning with
 * another, so that other programs on the machine affect all of them equally. A first round, which
 * loads and compiles what is only needed then, is not counted.
 *
 * @returns the results of each variant, in the order of the rounds
 */
export async function interleave<T>(
	variants: Record<string, () => Promise<T>>,
	rounds: number,
	warmUp = true,
): Promise<Record<string, T[]>> {
	const names = Object.keys(variants);
	const results: Record<string, T[]> = Object.fromEntries(names.map((name) => [name, []]));
	for (let round = warmUp ? -1 : 0; round < rounds; round++) {
		for (let offset = 0; offset < names.length; offset++) {
			const name = names[(offset + Math.max(round, 0)) % names.length]!;
			const result = await variants[name]!();
			if (round >= 0) results[name]!.push(result);
		}
	}
	return results;
}

/**
 * How many times as long `one` took as `other`: the median of the rounds' ratios, since what
 * disturbs a round disturbs both.
 */
export function ratio(one: readonly number[], other: readonly number[]): number {
	return median(one.map((value, round) => value / other[round]!));
}
