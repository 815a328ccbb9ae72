const WEIGHTS = [7, 3, 1];

/** The check digit of an IDNO's first 12 digits. */
export function checkDigit(twelve: string): number {
	return [...twelve].reduce(
		(sum, digit, index) => (sum + Number(digit) * (WEIGHTS[index % 3] as number)) % 10,
		0,
	);
}

/** The `index`-th fictional IDNO of a year, 2000 or later: 13 digits with a valid check digit. */
export function idnoOf(year: number, index: number): string {
	const twelve = `1${String(year - 2000).padStart(3, '0')}600${String(90_000 + index).padStart(5, '0')}`;
	return twelve + String(checkDigit(twelve));
}
