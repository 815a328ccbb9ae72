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
import type { ApiRequest, Sender } from '../http/request';
import { numberOf } from './keys';
import type { Progress } from './progress';

/** A list to watch. */
export interface WatchedList {
	/** Reads a page. @throws ServiceError */
	page(sender: Sender, number: number, size: number | undefined): Promise<Page>;
	/** Rows per page to request. Default: as many as usual */
	pageSize?: number;
	/** What identifies a row; undefined if nothing does. */
	key(row: Json): string | undefined;
	/** Which records the list shows. If that changes, the trigger starts over. */
	scope?: string;
	/** Whether the daily request budget allows another page. */
	mayRead?(): boolean;
}

const SHORTEST_TIMEOUT_MS = 2_000;
/** A baseline takes two readings, and a third if a page was empty by a fault. */
const READINGS_PER_POLL = 3;

const UNFINISHED =
	"the existing records couldn't be recorded completely, so the next polls go on with that; until then, a new record may be taken for an existing one";

/** The triggers and subjects of the warnings that the log has. */
const warned = processMap<true>();

/** One poll, as the watchers see it. */
export class Session implements Sender {
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
		readonly emitsExisting: boolean,
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
	 * Reads on in a list, from where the last poll stopped, until its end, and again from page 1 as long as
	 * its baseline isn't complete. Stops when the time is up or a request fails. `progress` is about the
	 * pages up to the one that's returned.
	 */
	async *pages(list: WatchedList, progress: Progress): AsyncGenerator<ListPage, void> {
		for (let reading = 0; reading < READINGS_PER_POLL; reading++) {
			const hasEnded = yield* this.reading(list, progress);
			if (progress.state.ready) return;
			if (!hasEnded || this.isOver()) break;
		}
		this.warnOnce('baseline', UNFINISHED);
	}

	/**
	 * Reads a list to its end. If it no longer has the page where the last poll stopped, or can't show it,
	 * begins with page 1.
	 *
	 * @returns whether the list has ended
	 */
	private async *reading(list: WatchedList, progress: Progress): AsyncGenerator<ListPage, boolean> {
		const { page: start } = progress.state;
		const mayRead = () => list.mayRead?.() !== false;
		if (!mayRead()) return false;
		const fetchPage = async (number: number, size: number | undefined) =>
			await list.page(this, number, size);
		let hasStarted = start === 1;
		try {
			for await (const found of pagesOf(fetchPage, { pageSize: list.pageSize, start })) {
				this.hasRead = true;
				if (!hasStarted && found.page.rows.length === 0) break;
				hasStarted = true;
				const ids = found.rows.flatMap((row) => numberOf(list.key(row) ?? '') ?? []);
				progress.notePage(found, ids);
				yield found;
				if (found.next === undefined) {
					progress.noteEnd(found);
					return true;
				}
				if (this.isOver() || !mayRead()) return false;
			}
		} catch (error) {
			if (hasStarted || concernsKey(error)) return this.end(error);
		}
		if (hasStarted) return false;
		progress.rewind();
		return yield* this.reading(list, progress);
	}

	/** Notes that a failed request ends the poll. */
	private end(error: unknown): false {
		if (!(error instanceof ServiceError)) throw error;
		this.failure = error;
		return false;
	}
}

/** The error if a sample event wasn't found in time. */
export const NOT_REACHED = new InputError(
	'No sample event was found in time',
	"The list is long, the service is slow, or you've reached the rate limit. Try again in a minute. A published workflow continues where a poll stopped, so it reaches every record.",
);
