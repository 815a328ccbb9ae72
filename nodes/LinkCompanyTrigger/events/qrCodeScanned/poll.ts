import type { Json, Page } from '../../../shared/http/envelope';
import { PAGE_SIZE } from '../../../shared/http/pagination';
import { InputError } from '../../../shared/http/errors';
import { fromDeltas, fromText, deltasOf, toText } from '../../numberText';
import type { PageReader } from '../../pageReader';
import { idOf } from '../fileCreated/snapshot';

/** The list of QR codes, as far as the event needs it. */
export interface QrList {
	/** @throws ServiceError */
	page(page: number, size: number): Promise<Page>;
}

/** What is remembered of one QR code. */
interface Code {
	/** Scans that were emitted, or that count from here. */
	scans: number;
	/** Complete sweeps in a row that did not show it. */
	missed: number;
	/** The sweep under way has shown it. */
	shown: boolean;
}

export interface QrState {
	codes: Map<number, Code>;
	/** The first sweep is not complete: scans of codes that come up are where counting begins. */
	beginning: boolean;
	/** Page with which a sweep goes on that an earlier poll began; 1 for a new sweep. */
	nextPage: number;
	/** Rows of the list as the sweep's last page told; when it falls, rows slipped past. */
	total?: number;
	/** Rows were deleted during the sweep, so it does not prove that a code is gone. */
	disturbed: boolean;
}

export interface QrOptions {
	/** Emits the scans that there are at the first poll. */
	emitExisting: boolean;
	/** Only these; all where it is undefined. */
	chosen?: ReadonlySet<number>;
	/** Fewer new scans wait until there are so many. */
	minimum: number;
}

export interface QrOutcome {
	state: QrState;
	events: Json[];
}

/**
 * A deletion shifts the list by a row, and a code at the edge of a page slips past one sweep. To
 * slip past this many in a row, each time unnoticed, takes as many such accidents.
 */
const FORGET_AFTER = 3;

/** Pages without a new row, after which the sweep is over whatever the counters promise. */
const STALE_PAGES = 2;

/** About 800 KB of state. */
export const MAX_CODES = 100_000;

/**
 * Compares the scans of every QR code with what is remembered. A code that is new counts from 0;
 * where the counter fell, counting begins anew; a code that is gone is forgotten. A sweep that a
 * poll cannot finish goes on in the next one.
 */
export async function pollQrCodes(
	stored: QrState | undefined,
	list: QrList,
	reading: PageReader,
	options: QrOptions,
): Promise<QrOutcome> {
	const state = stored ? copyOf(stored) : freshState(options);
	const seen = await sweep(state, list, reading, options);
	const events: Json[] = [];
	for (const [id, record] of [...seen].sort(([a], [b]) => a - b)) {
		const event = compare(state, id, record, options);
		if (event) events.push(event);
	}
	if (state.codes.size > MAX_CODES) throw tooMany();
	return { state, events };
}

function freshState({ emitExisting }: QrOptions): QrState {
	return { codes: new Map(), beginning: !emitExisting, nextPage: 1, disturbed: false };
}

function copyOf(state: QrState): QrState {
	const codes = new Map([...state.codes].map(([id, code]) => [id, { ...code }] as const));
	return { ...state, codes };
}

/** A code that a page showed. */
interface Seen {
	record: Json;
	scans: number;
	/** Whether the first sweep was still under way. */
	beginning: boolean;
}

/** Reads pages to the end of the list or of the poll. */
async function sweep(
	state: QrState,
	list: QrList,
	reading: PageReader,
	{ chosen }: QrOptions,
): Promise<Map<number, Seen>> {
	const seen = new Map<number, Seen>();
	const ids = new Set<number>();
	let stale = 0;
	for (;;) {
		const number = state.nextPage;
		const page = await reading.read(async () => await list.page(number, PAGE_SIZE));
		if (!page) return seen;
		if (fell(state.total, page.total)) state.disturbed = true;
		state.total = page.total ?? state.total;
		const before = ids.size;
		for (const record of page.rows) {
			ids.add(idOf(record));
			note(seen, record, state.beginning, chosen);
		}
		stale = ids.size === before ? stale + 1 : 0;
		state.nextPage++;
		const allChosen = chosen && [...chosen].every((id) => seen.has(id));
		if (allChosen || stale === STALE_PAGES || isLast(page, number)) {
			finish(state, seen);
			return seen;
		}
	}
}

function fell(before: number | undefined, now: number | undefined): boolean {
	return before !== undefined && now !== undefined && now < before;
}

/** A row that shifted comes twice; the later one counts. */
function note(
	seen: Map<number, Seen>,
	record: Json,
	beginning: boolean,
	chosen: ReadonlySet<number> | undefined,
): void {
	const id = idOf(record);
	const scans = Number(record.scans);
	if (!Number.isSafeInteger(scans) || scans < 0 || (chosen && !chosen.has(id))) return;
	seen.set(id, { record, scans, beginning });
}

/** Both counters may be missing, and either may be wrong: the list goes on while one says so. */
function isLast({ rows, nextPage, lastPage, perPage = PAGE_SIZE }: Page, number: number): boolean {
	if (rows.length === 0) return true;
	if (typeof nextPage === 'number') return false;
	if (lastPage !== undefined) return number >= lastPage;
	return nextPage === null || rows.length < Math.min(perPage, PAGE_SIZE);
}

/** The sweep is complete: codes that it did not show may be gone. */
function finish(state: QrState, seen: ReadonlyMap<number, Seen>): void {
	for (const [id, code] of state.codes) {
		if (code.shown || seen.has(id)) code.missed = 0;
		else if (!state.disturbed) code.missed++;
		code.shown = false;
		if (code.missed >= FORGET_AFTER) state.codes.delete(id);
	}
	state.beginning = false;
	state.nextPage = 1;
	state.total = undefined;
	state.disturbed = false;
}

function compare(
	state: QrState,
	id: number,
	{ record, scans, beginning }: Seen,
	{ minimum }: QrOptions,
): Json | undefined {
	const known = state.codes.get(id);
	const previousScans = known?.scans ?? (beginning ? scans : 0);
	const newScans = scans - previousScans;
	const emits = newScans >= Math.max(1, minimum);
	const counted = emits || newScans < 0 ? scans : previousScans;
	// A sweep that ended in this poll has set its marks already.
	const shown = state.nextPage > 1;
	state.codes.set(id, { scans: counted, missed: 0, shown });
	return emits ? { ...record, scans, previousScans, newScans } : undefined;
}

function tooMany(): InputError {
	return new InputError(
		`There are more than ${MAX_CODES.toLocaleString('en')} QR codes`,
		'Set QR Codes to Chosen, and choose those that matter.',
	);
}

/** What ends a code in the text: `shown` in the sweep under way, or how many sweeps missed it. */
const ENDS = [',', '!', '?'];
const SHOWN = ';';

/**
 * The codes as text, in the order of their ids: difference to the id before, scans, end. About 8
 * bytes for a code.
 */
export function encodeCodes(codes: QrState['codes']): string {
	const sorted = [...codes].sort(([a], [b]) => a - b);
	const deltas = deltasOf(sorted.map(([id]) => id));
	return sorted
		.map(([, { scans, missed, shown }], index) => {
			return `${deltas[index]}.${toText(scans)}${shown ? SHOWN : ENDS[missed]}`;
		})
		.join('');
}

/** @returns undefined when the text is broken */
export function decodeCodes(text: string): QrState['codes'] | undefined {
	const entries = text.match(/[^,;!?]+[,;!?]/g) ?? [];
	if (entries.join('') !== text) return undefined;
	const parts = entries.map((entry) => entry.slice(0, -1).split('.'));
	const ids = fromDeltas(parts.map(([delta = '']) => delta));
	const scans = parts.map(([, count = '']) => fromText(count));
	if (!ids || parts.some(({ length }) => length !== 2) || scans.includes(undefined))
		return undefined;
	return new Map(
		entries.map((entry, index) => {
			const end = entry.slice(-1);
			const missed = Math.max(0, ENDS.indexOf(end));
			return [
				ids[index] as number,
				{ scans: scans[index] as number, missed, shown: end === SHOWN },
			];
		}),
	);
}
