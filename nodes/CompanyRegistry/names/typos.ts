import { ALIKE } from './tables/spellings';

/** The edit that makes two texts equal: an extra character, a different one, or two swapped neighbors. */
interface Edit {
	kind: 'extra' | 'other' | 'swapped';
	/** How many characters before it are the same. */
	at: number;
}

/** The one edit between two texts; undefined if it takes more. */
export function editBetween(a: string, b: string): Edit | undefined {
	const [short, long] = a.length <= b.length ? [a, b] : [b, a];
	let at = 0;
	while (at < short.length && short[at] === long[at]) at++;
	const [x, y] = [short.slice(at), long.slice(at)];
	if (short.length < long.length) return x === y.slice(1) ? { kind: 'extra', at } : undefined;
	if (x.slice(1) === y.slice(1)) return { kind: 'other', at };
	const isSwapped = x[0] === y[1] && x[1] === y[0] && x.slice(2) === y.slice(2);
	return isSwapped ? { kind: 'swapped', at } : undefined;
}

/**
 * Whether two folded words differ in one typo: a doubled letter, two swapped neighbors, a missing or
 * extra letter inside the word, or a similar consonant. A different first letter, vowel or ending makes
 * a different word, such as "Elit" and "Elita".
 */
export function isMisspelling(a: string, b: string): boolean {
	const { kind, at = 0 } = editBetween(a, b) ?? {};
	if (kind === undefined || at === 0) return false;
	if (kind === 'other') return ALIKE.has(`${a[at]}${b[at]}`);
	const [short, long] = a.length < b.length ? [a, b] : [b, a];
	return at < short.length || long[at] === long[at - 1];
}
