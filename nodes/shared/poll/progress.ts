import { z } from 'zod';

import { InputError } from '../http/errors';
import type { ListPage } from '../http/pages';
import type { Progress, Session } from './session';

const whole = () => z.number().int().min(0).max(Number.MAX_SAFE_INTEGER);

export const progressFields = () => ({
	scope: z.string(),
	page: whole().min(1),
	ready: z.boolean(),
	laps: whole(),
	read: whole(),
	total: whole().optional(),
});

/** With "Emit Existing Records", everything is new. */
export function newProgress({ emitExisting }: Session, scope = ''): Progress {
	return { scope, page: 1, ready: emitExisting, laps: 0, read: 0 };
}

/** So many readings make a list complete, whatever its count says. */
const MOST_LAPS = 10;

/**
 * Decides at the end of a list whether its first reading is complete. One page is read at one moment.
 * Several are complete if the list's own count says so before and after, or when they have been read
 * twice, because rows can move between pages in the meantime. A list that counts more rows than it has
 * shown is hiding some, so it's read again and again.
 *
 * @param hasKnown whether any reading has shown rows
 * @returns whether the list should be read again at once
 */
export function endReading(
	progress: Progress,
	{ number, page }: ListPage,
	hasKnown: boolean,
): boolean {
	const { ready, read, total = 0 } = progress;
	const isHiding = read < Math.max(total, page.total ?? 0);
	// A list that's empty now but wasn't, or isn't by its own count, says nothing.
	if (ready || (read === 0 && (hasKnown || isHiding))) return false;
	const isOnePage = number === 1 && !isHiding;
	const isCounted = read === total && read === page.total;
	progress.laps++;
	progress.ready = isOnePage || isCounted || progress.laps >= (isHiding ? MOST_LAPS : 2);
	return !progress.ready && progress.laps === 1;
}

/** The error if a sample event wasn't found in time. */
export function notReached(): InputError {
	return new InputError(
		'No sample event was found in time',
		"The list is long, the service is slow, or you've reached the rate limit. Try again in a minute. A published workflow continues where a poll stopped, so it reaches every record.",
	);
}
