import { InvalidArgumentError } from 'commander';

export const DEFAULT_SANDBOX_PORT = 8090;
const HIGHEST_PORT = 65_535;

/** Parses an option's whole number. The parser throws InvalidArgumentError for anything else. */
export function wholeNumber(min: number, max = Number.MAX_SAFE_INTEGER) {
	return (text: string): number => {
		const value = Number(text);
		if (Number.isInteger(value) && value >= min && value <= max) return value;
		const range = max === Number.MAX_SAFE_INTEGER ? `of at least ${min}` : `from ${min} to ${max}`;
		throw new InvalidArgumentError(`It must be a whole number ${range}.`);
	};
}

/** 0 takes a free port. */
export const port = (min: 0 | 1) => wholeNumber(min, HIGHEST_PORT);
