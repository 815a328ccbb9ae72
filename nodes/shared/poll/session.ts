import { systemClock } from '../http/clock';
import type { Account, Connection, Host } from '../http/connection';
import type { Json, Page } from '../http/envelope';
import { concernsKey, ServiceError } from '../http/errors';
import { pagesOf } from '../http/pages';
import type { ListPage } from '../http/pages';
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

/** How far a list has been read. */
export interface Progress {
	/** Which records the list shows. */
	scope: string;
	/** Where the next poll continues. */
	page: number;
	/** The first reading is complete, so what's new is an event. */
	ready: boolean;
	/** How often the list has been read to its end before that. */
	laps: number;
	/** Rows since the latest page 1. */
	read: number;
	/** The service's own count of the rows, on that page. */
	total?: number;
}

const SHORTEST_TIMEOUT_MS = 2_000;

/** One poll, as the watchers see it. */
export class Session {
	/** Why reading ended early, if a request failed. */
	failure: ServiceError | undefined;
	/** Whether a page or record has been read. */
	hasRead = false;

	constructor(
		private readonly host: Host,
		private readonly connection: Connection,
		/** In ms since the epoch. */
		private readonly endsAt: number,
		/** Unique within the process. */
		readonly trigger: string,
		/** Whether a trigger that starts over emits what exists. */
		public emitExisting: boolean,
		/** Writes to n8n's log. */
		readonly warn: (message: string) => void,
	) {}

	get account(): Account {
		return this.connection.account;
	}

	/** Whether the poll's time is up. */
	isOver(): boolean {
		return systemClock.now() >= this.endsAt;
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

	/** Notes that a failed request ends the poll. @throws anything but a ServiceError */
	end(error: unknown): void {
		if (!(error instanceof ServiceError)) throw error;
		this.failure = error;
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
				// An empty list is usually a fault, so its count isn't compared with.
				if (number === 1 && rows.length > 0) progress.total = page.total;
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
}
