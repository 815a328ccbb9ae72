const DAY_MS = 24 * 3_600_000;

/**
 * A round never takes a whole number of days, so that restarts at the same time of day do not
 * begin at the same few places. No fraction spreads them more evenly than this one.
 */
const GOLDEN_FRACTION = (Math.sqrt(5) - 1) / 2;

/**
 * The place in a round of look-ups that the clock gives, from 0 to `count - 1`. It moves on as
 * fast as the look-ups do, so that a trigger that has lost its place resumes near it.
 *
 * @param perDay look-ups per day
 */
export function placeAt(now: number, count: number, perDay: number): number {
	const days = Math.floor(count / perDay) + GOLDEN_FRACTION;
	const rounds = now / (days * DAY_MS);
	return Math.floor((rounds - Math.floor(rounds)) * count);
}
