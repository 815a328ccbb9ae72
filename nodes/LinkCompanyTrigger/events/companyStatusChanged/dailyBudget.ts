const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const MINUTE_MS = 60_000;

/** Requests that were made on one of the trigger's days. */
export interface Spent {
	/** Number of the day. */
	day: number;
	used: number;
	/** When this was so, in ms since the epoch. */
	at: number;
}

/** How a day is divided: what a part may spend is there at its beginning. */
export interface DayPlan {
	/** Length of a part in ms; divides a day. */
	partMs: number;
	/** When the trigger's days begin, in ms after midnight UTC. */
	beginsAtMs: number;
	/** When polls are due, where that can be told: every so many ms, at `dueAtMs` after midnight UTC. */
	due?: { everyMs: number; dueAtMs: number };
}

export interface Ledger {
	/** What this process has counted; it knows of polls that failed, too. */
	counted?: Spent;
	/** What the state says. Quiet polls may be missing in it after a restart. */
	stored?: Spent;
	/** Whether the trigger ever polled before, as far as the state tells. */
	polledBefore: boolean;
	/** Requests that the service lets through in a minute; without an end if left out. */
	perMinute?: number;
}

/**
 * Requests per day, spread over the day's parts. What a part leaves over, later ones of the same
 * day may use.
 *
 * n8n's classic scheduler does not keep what a quiet poll remembers, so after a restart nobody
 * knows what was spent since the last event. If there may have been a poll since then, everything
 * that could have been spent until the end of the present part, at the service's rate, counts
 * as spent: the budget may be used less, but never more.
 */
export class DailyBudget {
	private spent: Spent;

	constructor(
		/** Requests per day. */
		private readonly perDay: number,
		private readonly plan: DayPlan,
		{ counted, stored, polledBefore, perMinute }: Ledger,
		private readonly now: () => number,
	) {
		const day = this.day();
		const known = Math.max(usedOn(day, counted), usedOn(day, stored));
		const isKnown = counted !== undefined || !polledBefore || this.isLatest(stored);
		const unknown = isKnown ? 0 : this.possibleSince(stored, perMinute);
		this.spent = {
			day,
			used: Math.max(known, Math.min(known + unknown, this.allowed())),
			at: now(),
		};
	}

	/**
	 * Requests that may be made now.
	 *
	 * @param atOnce whether the day's whole budget may be spent, not only the parts until now: for
	 * a first look at the companies, which n8n stores
	 */
	left(atOnce: boolean): number {
		return Math.max(0, (atOnce ? this.perDay : this.allowed()) - this.today.used);
	}

	/** Counts a request. */
	spend(): void {
		this.spent = { ...this.today, used: this.today.used + 1 };
	}

	get today(): Spent {
		const day = this.day();
		const used = this.spent.day === day ? this.spent.used : 0;
		return { day, used, at: this.now() };
	}

	/** No poll was due after the one that is stored and before the present one. */
	private isLatest(stored: Spent | undefined): boolean {
		const { due } = this.plan;
		if (!stored || !due) return false;
		const after = minuteOf(stored.at) + MINUTE_MS;
		const turns = Math.ceil((after - due.dueAtMs) / due.everyMs);
		return due.dueAtMs + turns * due.everyMs >= minuteOf(this.now());
	}

	/** More requests than these the service did not let through after the stored state. */
	private possibleSince(stored: Spent | undefined, perMinute = Infinity): number {
		if (!stored) return Infinity;
		// The rate's windows need not begin together with the time in question.
		const windows = Math.ceil((this.now() - stored.at) / MINUTE_MS) + 1;
		return windows * perMinute;
	}

	private day(): number {
		return Math.floor((this.now() - this.plan.beginsAtMs) / DAY_MS);
	}

	/** What the parts of the day until now may spend together. */
	private allowed(): number {
		const { beginsAtMs, partMs } = this.plan;
		const intoDay = this.now() - beginsAtMs - this.day() * DAY_MS;
		const parts = Math.floor(intoDay / partMs) + 1;
		return Math.floor((this.perDay * parts * partMs) / DAY_MS);
	}
}

function usedOn(day: number, spent: Spent | undefined): number {
	return spent?.day === day ? spent.used : 0;
}

/** One of n8n's "Poll Times". */
export interface PollTime {
	mode?: string;
	hour?: number;
	minute?: number;
	unit?: string;
	value?: number;
	cronExpression?: string;
}

/** Days begin so long before the poll of a daily schedule. */
const EARLY_MS = 10 * 60_000;

/**
 * Divides the day so that every part has a poll. A trigger that polls once a day has its days
 * begin shortly before that poll: then a restart at another time does not cost the next one.
 *
 * @param utcOffsetMinutes of the workflow's time zone now
 */
export function dayPlanOf(times: readonly PollTime[], utcOffsetMinutes: number): DayPlan {
	const hours = Math.min(24, ...times.map(hoursBetween));
	const [told, ...others] = times.map(pollsOf);
	const alike = others.every(
		(other) => other?.everyMs === told?.everyMs && other?.atMinute === told?.atMinute,
	);
	const polls = alike && Number.isInteger(told?.atMinute) ? told : undefined;
	const partMs = hours * HOUR_MS;
	if (!polls) return { partMs, beginsAtMs: 0 };
	// Never below 0, so that the remainder is one.
	const dueAtMs = ((polls.atMinute - utcOffsetMinutes) * MINUTE_MS + 2 * DAY_MS) % polls.everyMs;
	const due = { everyMs: polls.everyMs, dueAtMs };
	if (polls.everyMs < DAY_MS) return { partMs, beginsAtMs: 0, due };
	return { partMs, beginsAtMs: (dueAtMs - EARLY_MS + DAY_MS) % DAY_MS, due };
}

interface Polls {
	everyMs: number;
	/** Minute of the hour or of the day, local time. */
	atMinute: number;
}

function minuteOf(time: number): number {
	return Math.floor(time / MINUTE_MS) * MINUTE_MS;
}

/** Hours from one poll to the next, rounded up to what divides a day. */
function hoursBetween({ mode, unit, value, cronExpression }: PollTime): number {
	switch (mode) {
		case 'everyMinute':
		case 'everyHour':
			return 1;
		case 'everyX':
			return unit === 'minutes' ? 1 : partOfDay(Number(value));
		case 'custom':
			return partOfDay(hoursOfCron(cronExpression ?? ''));
		default:
			return 24;
	}
}

function partOfDay(hours: number): number {
	return [1, 2, 3, 4, 6, 8, 12].find((part) => part >= hours) ?? 24;
}

/** Of a cron expression with or without seconds; a list of hours counts as once a day. */
function hoursOfCron(expression: string): number {
	const fields = expression.trim().split(/\s+/);
	const [hour = '', dayOfMonth, , dayOfWeek] = fields.slice(fields.length - 4);
	if (dayOfMonth !== '*' || dayOfWeek !== '*') return 24;
	if (hour === '*') return 1;
	const every = /^\*\/(\d+)$/.exec(hour)?.[1];
	return every === undefined ? 24 : Number(every);
}

/** When a schedule polls; undefined where that is not the same minute of every hour or day. */
function pollsOf({ mode, unit, value, hour, minute, cronExpression }: PollTime): Polls | undefined {
	switch (mode) {
		case 'everyMinute':
			return { everyMs: MINUTE_MS, atMinute: 0 };
		case 'everyX':
			// Of hours, the minute is n8n's choice.
			return unit === 'minutes' && 60 % Number(value) === 0
				? { everyMs: Number(value) * MINUTE_MS, atMinute: 0 }
				: undefined;
		case 'everyHour':
			return { everyMs: HOUR_MS, atMinute: Number(minute) };
		case 'everyDay':
		case 'everyWeek':
		case 'everyMonth':
			return { everyMs: DAY_MS, atMinute: Number(hour) * 60 + Number(minute) };
		case 'custom':
			return pollsOfCron(cronExpression ?? '');
		default:
			return undefined;
	}
}

function pollsOfCron(expression: string): Polls | undefined {
	const fields = expression.trim().split(/\s+/);
	const [minute = '', hour = ''] = fields.slice(fields.length - 5);
	if (minute === '*' && hour === '*') return { everyMs: MINUTE_MS, atMinute: 0 };
	if (!/^\d+$/.test(minute)) return undefined;
	if (hour === '*') return { everyMs: HOUR_MS, atMinute: Number(minute) };
	const fixed = /^\d+$/.test(hour);
	return fixed ? { everyMs: DAY_MS, atMinute: Number(hour) * 60 + Number(minute) } : undefined;
}
