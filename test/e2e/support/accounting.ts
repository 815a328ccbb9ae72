import type { IDataObject } from 'n8n-workflow';

/** How what happened compares with what was emitted. */
export interface Account {
	emitted: number;
	/** What happened, but was never emitted. */
	lost: unknown[];
	/** What was emitted more than once. */
	doubled: unknown[];
	/** At least so many polls are behind the lost and the doubled ones. */
	faultyPolls: number;
}

/** For events that are about one new thing each; a poll emits those with ids in a row. */
export function accountOfSingles(expected: number[], emitted: number[]): Account {
	const lost = expected.filter((id) => !emitted.includes(id));
	const doubled = emitted.filter((id, index) => emitted.indexOf(id) !== index);
	const faultyPolls = rowsIn(lost) + rowsIn(doubled);
	return { emitted: emitted.length, lost, doubled, faultyPolls };
}

function rowsIn(ids: number[]): number {
	return ids.filter((id) => !ids.includes(id - 1)).length;
}

/** A value's change as an event tells it. */
export interface Step {
	/** Whose value it is. */
	of: unknown;
	previous: unknown;
	current: unknown;
}

/**
 * For events that tell a change of a value, which may take in several changes at once. Laid end to
 * end they lead from the first value to the last. One that begins where none ended follows a lost
 * one; two that begin at the same place tell the same change twice. No value may come twice.
 *
 * @param first each thing's value at the beginning, and `last` at the end
 */
export function accountOfSteps(
	steps: Step[],
	first: Map<unknown, unknown>,
	last: Map<unknown, unknown>,
): Account {
	const lost: unknown[] = [];
	const doubled: unknown[] = [];
	for (const [of, firstValue] of first) {
		const own = steps.filter((step) => step.of === of);
		const begins = own.map(({ previous }) => previous);
		const ends = new Set([firstValue, ...own.map(({ current }) => current)]);
		lost.push(...own.filter(({ previous }) => !ends.has(previous)));
		if (!ends.has(last.get(of)))
			lost.push({ of, previous: own.at(-1)?.current, current: last.get(of) });
		doubled.push(...own.filter(({ previous }, index) => begins.indexOf(previous) !== index));
	}
	// A poll emits one change of each thing at most.
	const faultyPolls = Math.ceil(lost.length / first.size) + Math.ceil(doubled.length / first.size);
	return { emitted: steps.length, lost, doubled, faultyPolls };
}

export function stepOf(event: IDataObject, of: string, previous: string, current: string): Step {
	return { of: event[of], previous: event[previous], current: event[current] };
}
