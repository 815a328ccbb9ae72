import { systemClock } from '../../../shared/http/clock';
import { processMap } from '../../pollCache';

const DAY_MS = 24 * 3_600_000;

/**
 * A round never takes a whole number of days: restarts at the same time of day would begin at the
 * same few places. No fraction spreads them more evenly than this one.
 */
const GOLDEN_FRACTION = (Math.sqrt(5) - 1) / 2;

/**
 * The place in a round of look-ups that the clock gives, from 0 to `count - 1`. It advances as fast
 * as the look-ups, so a trigger that has lost its place resumes near it.
 *
 * @param perDay look-ups per day
 */
export function placeAt(now: number, count: number, perDay: number): number {
	const days = Math.floor(count / Math.max(perDay, 1)) + GOLDEN_FRACTION;
	const rounds = now / (days * DAY_MS);
	return Math.floor((rounds - Math.floor(rounds)) * count);
}

/** Where a trigger is in its round, as long as the process runs. */
export interface Round {
	/** IDNO of the company that was checked last; undefined before the first check. */
	last?: string;
	/** Companies that an edit has added and that were not looked at yet. */
	added: Set<string>;
}

const rounds = processMap<Round>();

export function roundOf(trigger: string): Round {
	const round = rounds.get(trigger) ?? { added: new Set<string>() };
	rounds.set(trigger, round);
	return round;
}

/**
 * The companies in the order in which they are due: first those that were added, then the others
 * in the order of their IDNOs, beginning after the last one that was checked. In a process that has
 * checked none, the clock gives the place: n8n's classic scheduler does not store what polls
 * without events learned, so stored places or times would begin with the same companies after
 * every restart.
 *
 * @param perDay look-ups per day
 */
export function dueOrder(
	{ last, added }: Round,
	companies: readonly string[],
	perDay: () => number,
): string[] {
	const sorted = [...companies].sort();
	const after = last === undefined ? undefined : sorted.findIndex((idno) => idno > last);
	const start = after ?? placeAt(systemClock.now(), sorted.length, perDay());
	const ring = start < 0 ? sorted : [...sorted.slice(start), ...sorted.slice(0, start)];
	return [...added, ...ring.filter((idno) => !added.has(idno))];
}

/** Notes that a company had its turn. */
export function checked(round: Round, idno: string): void {
	if (!round.added.delete(idno)) round.last = idno;
}
