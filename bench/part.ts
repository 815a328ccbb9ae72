/** One line of a part's table, by column. */
export type Row = Record<string, string | number>;

/** A number that the project wants to reach. */
export interface Target {
	wanted: string;
	measured: string;
	met: boolean;
}

/** What a part found. */
export interface Findings {
	/** How it was measured, in one or two sentences. */
	setting: string;
	rows: Row[];
	targets: Target[];
}

/** Measures, and reports its progress. */
export type Part = (rounds: number, report: (line: string) => void) => Promise<Findings>;

export function atLeast(wanted: number, measured: number, what: string, unit = 'x'): Target {
	const met = measured >= wanted;
	return { wanted: `${what}: at least ${wanted} ${unit}`, measured: shown(measured, unit), met };
}

export function atMost(wanted: number, measured: number, what: string, unit = 'x'): Target {
	const met = measured <= wanted;
	return { wanted: `${what}: at most ${wanted} ${unit}`, measured: shown(measured, unit), met };
}

function shown(value: number, unit: string): string {
	return `${rounded(value)} ${unit}`;
}

/** More than three digits would be noise. */
export function rounded(value: number): number {
	return Math.abs(value) >= 100 ? Math.round(value) : Number(value.toPrecision(3));
}
