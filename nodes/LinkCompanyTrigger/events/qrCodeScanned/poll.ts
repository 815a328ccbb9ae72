import { systemClock } from '../../../shared/http/clock';
import type { Json, Page } from '../../../shared/http/envelope';
import { InputError } from '../../../shared/http/errors';
import { countReading } from '../../forgetting';
import { isCalm, isProven, newPass, nextPass, notePage, pageAfter } from '../../listPass';
import type { PageReader } from '../../pageReader';
import { freshState } from './state';
import type { Code, QrState } from './state';

/** The list of QR codes, as far as the event needs it. */
export interface QrList {
	/** @throws ServiceError */
	page(page: number): Promise<Page>;
}

export interface QrOptions {
	/** Emits the existing scans at the first poll. */
	emitExisting: boolean;
	/** Only these; undefined for all. */
	chosen?: ReadonlySet<number>;
	/** Fewer new scans are not emitted yet. */
	minimum: number;
}

export interface QrOutcome {
	/** Undefined when the poll ended before anything could be remembered. */
	state: QrState | undefined;
	events: Json[];
}

/** Passes after which the first reading ends although the list never stops changing. */
const MOST_FIRST_PASSES = 40;

/** About 800 KB of state. */
export const MAX_CODES = 100_000;

/**
 * Reads the list of QR codes and counts the scans since each code's last event. A list that one
 * poll cannot finish is continued by the next. The first reading ends when two passes agree: a code
 * that it missed would seem new, with all its scans.
 */
export async function pollQrCodes(
	stored: QrState | undefined,
	list: QrList,
	reader: PageReader,
	options: QrOptions,
): Promise<QrOutcome> {
	const poll = new QrPoll(stateFor(stored, options), list, reader, options);
	await poll.run();
	return { state: poll.started || stored ? poll.state : undefined, events: poll.events() };
}

/** A copy of the state, for the codes that are watched now. */
function stateFor(stored: QrState | undefined, { chosen, emitExisting }: QrOptions): QrState {
	const watched = chosen ? 'chosen' : 'all';
	if (!stored) return freshState(watched, !emitExisting, systemClock.now());
	const state = {
		...stored,
		codes: new Map([...stored.codes].map(([id, code]) => [id, { ...code }] as const)),
		pass: { ...stored.pass, ids: new Set(stored.pass.ids) },
	};
	if (chosen) for (const id of state.codes.keys()) if (!chosen.has(id)) state.codes.delete(id);
	if (state.watched === watched) return state;
	return { ...state, watched, beginning: true, firstPasses: 0, pass: newPass(1) };
}

class QrPoll {
	/** Whether a page was read. */
	started = false;
	/** By id: the codes that this poll has read. */
	private readonly records = new Map<number, Json>();

	constructor(
		readonly state: QrState,
		private readonly list: QrList,
		private readonly reader: PageReader,
		private readonly options: QrOptions,
	) {}

	async run(): Promise<void> {
		const { state } = this;
		for (;;) {
			const page = await this.reader.read(async () => await this.list.page(state.pass.page));
			if (!page) return;
			this.started = true;
			notePage(state.pass, page);
			for (const record of page.rows) this.note(record);
			if (state.codes.size > MAX_CODES) throw tooMany();
			const next = this.hasAllChosen() ? undefined : pageAfter(state.pass, page);
			if (next !== undefined) state.pass.page = next;
			else if (this.endPass()) return;
		}
	}

	/** One event for each code with enough scans. */
	events(): Json[] {
		const { codes } = this.state;
		const events: Json[] = [];
		for (const [id, record] of [...this.records].sort(([a], [b]) => a - b)) {
			const code = codes.get(id);
			if (!code || code.pending < Math.max(1, this.options.minimum)) continue;
			const { scans, pending: newScans } = code;
			code.pending = 0;
			// After the counter was set back, there are more new scans than it shows.
			const previousScans = Math.max(0, scans - newScans);
			events.push({ ...record, scans, previousScans, newScans });
		}
		return events;
	}

	private hasAllChosen(): boolean {
		const { chosen } = this.options;
		return chosen !== undefined && [...chosen].every((id) => this.state.pass.ids.has(id));
	}

	private note(record: Json): void {
		const { codes, beginning } = this.state;
		const id = Number(record.id);
		if (this.options.chosen && !this.options.chosen.has(id)) return;
		const scans = Number(record.scans ?? NaN);
		if (!Number.isSafeInteger(scans) || scans < 0) return;
		const code: Code = codes.get(id) ?? { scans: beginning ? scans : 0, pending: 0, seen: true };
		// A counter that fell was set back, or corrected: counting continues from there.
		code.pending += Math.max(0, scans - code.scans);
		code.scans = scans;
		code.seen = true;
		if (!codes.has(id)) this.state.calmPasses = 0;
		codes.set(id, code);
		this.records.set(id, record);
	}

	/** @returns whether this poll has read enough */
	private endPass(): boolean {
		const { state, options } = this;
		const proven = isProven(state.pass);
		this.forgetMissing();
		state.pass = nextPass(state.pass, 1);
		// A code that is chosen later exists already, so it never begins with 0.
		state.beginning = options.chosen !== undefined || (state.beginning && !proven);
		if (options.chosen) return true;
		if (!state.beginning) return true;
		state.firstPasses++;
		state.calmPasses++;
		if (isCalm(state.calmPasses) || state.firstPasses >= MOST_FIRST_PASSES) state.beginning = false;
		return !state.beginning;
	}

	private forgetMissing(): void {
		const { state } = this;
		const { over, period } = countReading(state.period, state.pass.ids.size, systemClock.now());
		state.period = period;
		if (!over) return;
		for (const [id, code] of state.codes) {
			if (code.seen) code.seen = false;
			else state.codes.delete(id);
		}
	}
}

function tooMany(): InputError {
	return new InputError(
		`There are more than ${MAX_CODES.toLocaleString('en')} QR codes`,
		'Set QR Codes to Chosen, and select those that matter.',
	);
}
