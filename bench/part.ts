/** What one part of the bench is told. */
export interface PartOptions {
	/** Rounds that are counted. */
	rounds: number;
	/** Folder for CPU profiles, if they are wanted. */
	profiles?: string;
	/** Tells how far the part is. */
	report: (line: string) => void;
}

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
	/** How it was measured, one sentence or two. */
	setting: string;
	rows: Row[];
	/** A second table, which explains the first. */
	explanation?: { setting: string; rows: Row[] };
	targets: Target[];
	/** Every measured number, for those who want to compute with them. */
	raw: unknown;
}

export interface Part {
	/** As `--only` takes it. */
	name: string;
	title: string;
	run(options: PartOptions): Promise<Findings>;
}

export function atLeast(wanted: number, measured: number, what: string, unit = 'x'): Target {
	return {
		wanted: `${what}: at least ${wanted} ${unit}`,
		measured: `${rounded(measured)} ${unit}`,
		met: measured >= wanted,
	};
}

export function atMost(wanted: number, measured: number, what: string, unit = 'x'): Target {
	return {
		wanted: `${what}: at most ${wanted} ${unit}`,
		measured: `${rounded(measured)} ${unit}`,
		met: measured <= wanted,
	};
}

/** Three figures are all that a measurement like these is worth. */
export function rounded(value: number): number {
	return Math.abs(value) >= 100 ? Math.round(value) : Number(value.toPrecision(3));
}
