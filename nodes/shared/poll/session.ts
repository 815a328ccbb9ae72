import { z } from 'zod';

import { systemClock } from '../http/clock';
import type { Connection, Host } from '../http/connection';
import type { Page } from '../http/envelope';
import { concernsKey, ServiceError } from '../http/errors';
import { InputError } from '../http/inputError';
import type { Json } from '../http/json';
import { pagesOf } from '../http/pages';
import type { ListPage } from '../http/pages';
import { processMap } from '../http/processMap';
import { sendRequest } from '../http/request';
import type { ApiRequest } from '../http/request';

/** A list to watch. */
export interface WatchedList {
	/** Reads a page. @throws ServiceError */
	page(session: Session, number: number, size: number | undefined): Promise<Page>;
	/** Rows per page to request. Default: as many as usual */
	pageSize?: number;
	/** What identifies a row; undefined if nothing does. */
	key(row: Json): string | undefined;
	/** Which records the list shows. If that changes, the trigger starts over. */
	scope?: string;
	/** Whether the daily request budget allows another page. */
	mayRead?(): boolean;
}

const whole = () => z.number().int().min(0).max(Number.MAX_SAFE_INTEGER);

/** How far a list has been read. */
export const progressFields = () => ({
	/** Which records the list shows. */
	scope: z.string(),
	/** Where the next poll continues. */
	page: whole().min(1),
	/** The first reading is complete, so what's new is an event. */
	ready: z.boolean(),
	/** How often the list has been read to its end before that. */
	laps: whole(),
	/** Rows since the latest page 1. */
	read: whole(),
	/** The service's own count of the rows, on that page. */
	total: whole().optional(),
});

export type Progress = z.infer<z.ZodObject<ReturnType<typeof progressFields>>>;

const SHORTEST_TIMEOUT_MS = 2_000;

/** The triggers and subjects of the warnings that the log has. */
const warned = processMap<true>();

/** One poll, as the watchers see it. */
export class Session {
	/** Why reading ended early, if a request failed. */
	failure: ServiceError | undefined;
	/** Whether a page or record has been read. */
	hasRead = false;

	constructor(
		private readonly host: Host,
		readonly connection: Connection,
		/** In ms since the epoch. */
		private readonly endsAt: number,
		/** Unique within the process. */
		readonly trigger: string,
		/** Whether a trigger that starts over emits what exists. */
		public emitExisting: boolean,
		/** Writes to n8n's log. */
		readonly warn: (message: string) => void,
	) {}

	/** Whether the poll's time is up. */
	isOver(): boolean {
		return systemClock.now() >= this.endsAt;
	}

	/** Warns of the same subject only once until n8n restarts. */
	warnOnce(subject: string, message: string): void {
		const key = `${this.trigger} ${subject}`;
		if (!warned.has(key)) this.warn(message);
		warned.set(key, true);
	}

	/**
	 * @param onAttempt called before every attempt. If it throws, the attempt isn't sent.
	 * @throws ServiceError
	 */
	async send(request: ApiRequest, onAttempt?: () => void): Promise<unknown> {
		const { host, connection, endsAt: deadline } = this;
		const timeout = Math.max(SHORTEST_TIMEOUT_MS, Math.floor(deadline - systemClock.now()));
		const options = { deadline, onAttempt, engineOptions: { timeout } };
		return await sendRequest(host, connection, request, options);
	}

	/**
	 * Reads on in a list, from where the last poll stopped, until the time is up or a request fails. If the
	 * list no longer has that page, or can't show it, begins with page 1. `progress` follows.
	 */
	async *pages(list: WatchedList, progress: Progress): AsyncGenerator<ListPage, void> {
		if (list.mayRead?.() === false) return;
		const { page: start } = progress;
		const fetchPage = async (number: number, size: number | undefined) =>
			await list.page(this, number, size);
		let hasStarted = start === 1;
		try {
			for await (const found of pagesOf(fetchPage, { pageSize: list.pageSize, start })) {
				const { number, rows, next, page } = found;
				this.hasRead = true;
				if (!hasStarted && page.rows.length === 0) break;
				hasStarted = true;
				progress.page = next ?? 1;
				if (number === 1) progress.read = 0;
				progress.read += rows.length;
				// An empty list is usually a fault, so the last count stays if this one is 0 or missing.
				if (number === 1 && page.total) progress.total = page.total;
				yield found;
				if (this.isOver() || list.mayRead?.() === false) return;
			}
		} catch (error) {
			if (hasStarted || concernsKey(error)) return this.end(error);
		}
		if (hasStarted) return;
		progress.page = 1;
		yield* this.pages(list, progress);
	}

	/** Notes that a failed request ends the poll. */
	private end(error: unknown): void {
		if (!(error instanceof ServiceError)) throw error;
		this.failure = error;
	}
}

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
 */
export function endReading(progress: Progress, { number, page }: ListPage): void {
	const { ready, read, total = 0 } = progress;
	if (ready) return;
	const isHiding = read < total;
	const isOnePage = number === 1 && !isHiding;
	const isCounted = read === total && read === page.total;
	progress.laps++;
	progress.ready = isOnePage || isCounted || progress.laps >= (isHiding ? MOST_LAPS : 2);
}

/** The error if a sample event wasn't found in time. */
export const NOT_REACHED = new InputError(
	'No sample event was found in time',
	"The list is long, the service is slow, or you've reached the rate limit. Try again in a minute. A published workflow continues where a poll stopped, so it reaches every record.",
);
