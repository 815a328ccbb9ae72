import { z } from 'zod';

import type { ListPage } from '../http/pages';
import { wholeSchema as whole } from './keys';

/** So many readings make a baseline. */
const BASELINE = 2;

const fields = () =>
	z.object({
		/** Which records the list shows. */
		scope: z.string(),
		/** Where the next poll continues. */
		page: whole().min(1),
		/**
		 * How often the list has been read to its end. Two readings, or one that can't have missed anything,
		 * are a baseline.
		 */
		laps: whole().max(BASELINE),
		/** How often such a reading didn't count. */
		faults: whole(),
		/** Rows since the latest page 1. */
		read: whole(),
		/** The service's own count of the rows, on that page. */
		total: whole().optional(),
		/** A page of this reading was empty, although the service had announced it. */
		gap: z.boolean(),
		/** The highest ID of the first reading, so a higher one came later. */
		highest: z.number().int().min(-1).max(Number.MAX_SAFE_INTEGER),
	});

type Fields = z.infer<ReturnType<typeof fields>>;

/** Reads what was stored of {@link Progress.state}. */
export const progressSchema = () => fields().transform((stored) => new Progress(stored));

/** After so many readings that don't count, the missing rows don't seem to exist. */
const MOST_FAULTS = 30;

/**
 * How far a list has been read, and whether its baseline is complete: the records that existed when the
 * trigger was published, which aren't events.
 *
 * One page is read at one moment. Between several pages, rows can move to one that has been read already.
 * So such a baseline is complete if the list's own count says so before and after, or when the list has
 * been read twice. A reading with a gap doesn't count, nor one during which the list has shrunk.
 */
export class Progress {
	/** The service has announced the next page. */
	private isAnnounced = true;

	constructor(private readonly fields: Fields) {}

	static start(scope: string): Progress {
		return new Progress({ scope, page: 1, laps: 0, faults: 0, read: 0, gap: false, highest: -1 });
	}

	get state(): Readonly<Fields> {
		return this.fields;
	}

	/** The baseline is complete, so what's new is an event. */
	get isReady(): boolean {
		return this.fields.laps === BASELINE;
	}

	/**
	 * Whether a record came after the first reading.
	 *
	 * @param id undefined if it isn't a number. If no ID is, any record that a baseline doesn't have came later.
	 */
	isLater(id = this.isReady ? 0 : -1): boolean {
		return this.fields.laps > 0 && id > this.fields.highest;
	}

	/** Notes a page before anybody uses its rows. */
	notePage({ number, page, rows, next }: ListPage, all: ReadonlyArray<{ id?: number }>): void {
		const { fields } = this;
		if (number === 1) Object.assign(fields, { read: 0, gap: false });
		fields.gap ||= page.rows.length === 0 && (number === 1 || this.isAnnounced);
		fields.page = next ?? 1;
		fields.read += rows.length;
		// An empty list is usually a fault, so the last count stays if this one is 0 or missing.
		if (number === 1 && page.total) fields.total = page.total;
		this.isAnnounced = page.nextPage !== null;
		if (fields.laps > 0) return;
		for (const { id = -1 } of all) fields.highest = Math.max(fields.highest, id);
	}

	noteEnd({ number, page }: ListPage): void {
		const { fields } = this;
		const { read, total = 0, gap } = fields;
		fields.page = 1;
		const isFaulty = (gap && read < total) || (page.total ?? total) < total;
		if (!this.isReady && isFaulty && fields.faults++ < MOST_FAULTS) return;
		const isSure = number === 1 || read === fields.total;
		fields.laps = isSure ? BASELINE : Math.min(fields.laps + 1, BASELINE);
	}

	/** Notes that nothing else of the list matters to this reading, nor to the baseline. */
	noteEnough(): void {
		Object.assign(this.fields, { page: 1, laps: BASELINE });
	}

	rewind(): void {
		this.fields.page = 1;
	}
}
