const BASE = 36;

/** A whole number of at least 0 in few characters, without a quote or a separator. */
export function toText(value: number): string {
	return value.toString(BASE);
}

/** @returns undefined where the text is not one that `toText` made */
export function fromText(text: string): number | undefined {
	if (!/^[0-9a-z]+$/.test(text)) return undefined;
	const value = parseInt(text, BASE);
	return Number.isSafeInteger(value) ? value : undefined;
}

/** Growing numbers as their differences: neighbours in a list cost a character or two. */
export function deltasOf(sorted: readonly number[]): string[] {
	return sorted.map((value, index) =>
		toText(value - (index === 0 ? 0 : (sorted[index - 1] as number))),
	);
}

/** @returns undefined where a text is not one that `deltasOf` made */
export function fromDeltas(deltas: readonly string[]): number[] | undefined {
	const values: number[] = [];
	let value = 0;
	for (const delta of deltas) {
		const step = fromText(delta);
		if (step === undefined) return undefined;
		value += step;
		if (!Number.isSafeInteger(value)) return undefined;
		values.push(value);
	}
	return values;
}

/** Ids in any order, as one text: two to four bytes for each where they are close together. */
export function idsToText(ids: Iterable<number>): string {
	return deltasOf([...ids].sort((a, b) => a - b)).join('.');
}

/** @returns undefined where it is not a text that `idsToText` made */
export function idsFromText(text: unknown): number[] | undefined {
	if (typeof text !== 'string') return undefined;
	return text === '' ? [] : fromDeltas(text.split('.'));
}
