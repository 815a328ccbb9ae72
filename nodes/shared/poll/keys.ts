import { z } from 'zod';

/** An ID or a count. */
export const wholeSchema = () => z.number().int().min(0).max(Number.MAX_SAFE_INTEGER);

/** A key as a number; undefined if it isn't an ID that counts up. */
export function numberOf(key: string): number | undefined {
	const number = Number(key);
	return Number.isSafeInteger(number) && number >= 0 && String(number) === key ? number : undefined;
}

/** Sorts entries by ID. Other keys come last and keep their order. */
export function inKeyOrder(
	[a]: readonly [string, unknown],
	[b]: readonly [string, unknown],
): number {
	return (numberOf(a) ?? Infinity) - (numberOf(b) ?? Infinity) || 0;
}

/** Keys as JSON: IDs as ranges in one text, e.g. `1-40,42`, and other keys as a list. */
export function storedKeys(keys: Iterable<string>): { ids: string; others: string[] } {
	const numbers: number[] = [];
	const others: string[] = [];
	for (const key of keys) {
		const number = numberOf(key);
		if (number === undefined) others.push(key);
		else numbers.push(number);
	}
	numbers.sort((a, b) => a - b);
	const ranges: string[] = [];
	for (let from = 0, to = 0; from < numbers.length; from = to + 1) {
		for (to = from; numbers[to + 1] === (numbers[to] as number) + 1;) to++;
		ranges.push(to === from ? `${numbers[from]}` : `${numbers[from]}-${numbers[to]}`);
	}
	return { ids: ranges.join(','), others };
}

export const keysSchema = () =>
	z.object({ ids: z.string(), others: z.array(z.string()) }).transform(({ ids, others }) => {
		const keys = new Set(others);
		for (const range of ids === '' ? [] : ids.split(',')) {
			const [from = NaN, to = from] = range.split('-').map(Number);
			for (let id = from; id <= to; id++) keys.add(String(id));
		}
		return keys;
	});
