import { systemClock } from '../http/clock';
import type { Connection, Host } from '../http/connection';
import type { Page } from '../http/envelope';
import { concernsKey, serviceErrorOf, type ServiceError } from '../http/errors';
import { InputError } from '../http/inputError';
import type { Wait } from '../http/limiter';
import type { Json } from '../http/json';
import { pagesOf, type ListPage } from '../http/pages';
import { processMap } from '../http/processMap';
import { sendRequest, type ApiRequest, type Sender } from '../http/request';
import { numberOf } from './keys';
import { Progress } from './progress';

export interface WatchedList {
	/** @throws ServiceError */
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

/** The key is empty if nothing identifies the row, and the ID is the key if that counts up. */
export interface WatchedRow {
	row: Json;
	key: string;
	id: number | undefined;
}

export interface WatchedPage extends ListPage {
	watched: WatchedRow[];
}

const SHORTEST_TIMEOUT_MS = 2_000;
/** A baseline takes two readings, and one more if a page was empty by a fault or is gone. */
const READINGS_PER_POLL = 3;

const UNFINISHED =
	'not all existing records could be recorded, so the next polls continue; a new record can count as an existing one until they finish, or if n8n restarts before the next event';

/** The triggers and subjects of the warnings that the log has. */
const warned = processMap<true>();

/** One poll, as the watchers see it. */
export class Session implements Sender {
	/** Why reading ended early, if a request failed. */
	failure: ServiceError | undefined;
	hasRead = false;

	constructor(
		private readonly host: Host,
		readonly connection: Connection,
		private readonly endsAt: number,
		/** Unique within the process. */
		readonly trigger: string,
		readonly warn: (message: string) => void,
	) {}

	isOver(): boolean {
		return this.msLeft() <= 0;
	}

	msLeft(): number {
		return this.endsAt - systemClock.now();
	}

	/** Warns of the same subject only once until n8n restarts. */
	warnOnce(subject: string, message: string): void {
		const key = `${this.trigger} ${subject}`;
		if (!warned.has(key)) this.warn(message);
		warned.set(key, true);
	}

	/**
	 * @param within the daily request budget that pays for the request
	 * @throws ServiceError
	 */
	async send(request: ApiRequest, within?: Pick<Wait, 'trigger' | 'traffic'>): Promise<unknown> {
		const { host, connection, endsAt: deadline } = this;
		const timeout = Math.max(SHORTEST_TIMEOUT_MS, Math.floor(this.msLeft()));
		const options = { ...within, deadline, engineOptions: { timeout } };
		return await sendRequest(host, connection, request, options);
	}

	/**
	 * Continues reading a list where the last poll stopped, to its end, and again as long as its baseline isn't
	 * complete. Stops when the time is up or a request fails. If the page where the last poll stopped can't be
	 * read, begins with page 1.
	 *
	 * @param isEnough looks at each page, which `progress` includes by then, and returns whether nothing else of
	 * the list matters
	 */
	async read(
		list: WatchedList,
		progress: Progress,
		isEnough: (page: WatchedPage) => boolean,
	): Promise<void> {
		const fetchPage = async (number: number, size: number | undefined) =>
			await list.page(this, number, size);
		for (let reading = 0; reading < READINGS_PER_POLL; reading++) {
			const { page: start } = progress.state;
			let isReading = start === 1;
			let hasEnded = false;
			if (this.isOver() || list.mayRead?.() === false) break;
			try {
				for await (const found of pagesOf(fetchPage, { pageSize: list.pageSize, start })) {
					this.hasRead = true;
					isReading ||= found.page.rows.length > 0;
					if (!isReading) break;
					const watched = found.page.rows.map((row): WatchedRow => {
						const key = list.key(row) ?? '';
						return { row, key, id: numberOf(key) };
					});
					progress.notePage(found, watched);
					if (isEnough({ ...found, watched })) {
						progress.noteEnough();
						return;
					}
					hasEnded = found.next === undefined;
					if (hasEnded) {
						this.noteRepeated(found);
						progress.noteEnd(found);
					} else if (this.isOver() || list.mayRead?.() === false) break;
				}
			} catch (error) {
				isReading ||= concernsKey(error);
				if (isReading) this.failure = serviceErrorOf(error);
			}
			if (!isReading) progress.rewind();
			else if (!hasEnded || progress.isReady) break;
		}
		if (this.hasRead && !progress.isReady) this.warnOnce('baseline', UNFINISHED);
	}

	/** Warns if the service shows the same page again, so that there may be more. */
	private noteRepeated({ page, missing, repeated }: ListPage): void {
		if (!repeated || missing === 0) return;
		this.warnOnce(
			'repeated',
			`the service returned the same ${page.rows.length} records for every page, so new ones may go unnoticed`,
		);
	}

	/** Looks for a sample event, page by page. @param none the error if there's none in the list */
	async sample(
		list: WatchedList,
		sampleIn: (rows: readonly WatchedRow[]) => Json | undefined,
		none: () => InputError,
	): Promise<Json> {
		const progress = Progress.start('');
		// Without a baseline, it's read once.
		progress.noteEnough();
		let sample: Json | undefined;
		await this.read(list, progress, ({ watched, next }) => {
			sample = sampleIn(watched);
			if (!sample && next === undefined) throw none();
			return sample !== undefined;
		});
		if (sample) return sample;
		throw this.failure ?? NOT_REACHED;
	}
}

const NOT_REACHED = new InputError(
	'No sample event was found in time',
	"The list is long, the service is slow, or you've reached the rate limit. Try again in a minute. A published workflow continues where a poll stopped, so it reaches every record.",
);
