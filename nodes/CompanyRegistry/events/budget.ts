import { createHash } from 'crypto';
import type { INodeProperties } from 'n8n-workflow';

import {
	DAY_MS,
	duration,
	HOUR_MS,
	MINUTE_MS,
	SECOND_MS,
	systemClock,
} from '../../shared/http/clock';
import { InputError, ServiceError } from '../../shared/http/errors';
import type { ApiRequest } from '../../shared/http/request';
import { isBlank } from '../../shared/node/validators';
import type { Parameter } from '../../shared/poll/event';
import type { Session } from '../../shared/poll/session';
import { processMap, processStartedAt } from '../../shared/poll/state';
import { planOf, variantOf } from '../api';
import type { Variant } from '../api';

/** The share of the plan's quota that triggers use. The rest is for other workflows. */
const DEFAULT_SHARE = 0.8;
/** How much of its share a trigger may spend at once on companies that it hasn't seen. */
const AT_ONCE = 0.25;
/** After this many failures in a row, the registry is assumed to be down. */
const OUTAGE = 3;
/** A daily poll can start moments before yesterday's requests are a day old. */
const LONGEST_WAIT_MS = 10_000;
/** How far a cycle stays away from a whole number of days. */
const NEARLY_WHOLE = 0.15;
/** A trigger that has polled within this time shares the budget. A daily poll may be late. */
const SHARES_FOR_MS = 26 * HOUR_MS;

/** Entry of the collection "Options". */
export const dailyRequestsOption: INodeProperties = {
	displayName: 'Daily Request Budget',
	name: 'dailyRequests',
	type: 'number',
	typeOptions: { minValue: 0 },
	default: 0,
	description:
		"Maximum requests per day. 0 uses 80% of your plan's quota. Shared by all triggers that use this key.",
};

/** What this process remembers about a key. */
interface KeyLog {
	/** The requests of the last 24 hours. Those of one trigger within a second share an entry. */
	sent: Array<{ trigger: string; from: number; to: number; count: number }>;
	/** By trigger: its latest poll and its budget. */
	triggers: Map<string, { at: number; perDay: number }>;
}

/** What this process remembers about a trigger. */
interface Progress {
	polledAt?: number;
	/** The trigger's first poll ran in this process, so the key's log has all of its requests. */
	isNew: boolean;
	/** The IDNOs to check, in this order, and how many checks have come due. */
	queue: Set<string>;
	allowed: number;
	/** Companies that have failed since the last answer, and those that failed although others didn't. */
	failures: Set<string>;
	failing: Set<string>;
	/** Topics of messages that are already in n8n's log. */
	warned: Set<string>;
}

const logs = processMap<KeyLog>();
const progresses = processMap<Progress>();

/** What the schedule and the daily budget allow in a poll. */
export interface Checks {
	variant: Variant;
	mayAsk(): boolean;
	/** @throws ServiceError, including when the budget is used up */
	send(request: ApiRequest): Promise<unknown>;
	/**
	 * The companies to check in this poll: new ones, then those that are due. After publishing or an edit,
	 * a part of the budget may be spent at once, so that users soon see results.
	 *
	 * @param idnos all watched companies
	 * @param added those that weren't watched before
	 */
	due(idnos: readonly string[], added: readonly string[], isFirst: boolean): string[];
	/** The registry has answered for a company. */
	answered(idno: string): void;
	/**
	 * A company couldn't be read, so it goes to the end of the queue.
	 *
	 * @returns whether the registry seems to be down, rather than something wrong with this company
	 */
	failed(idno: string): boolean;
	/**
	 * How many pages of a search this poll may read.
	 *
	 * @param isFirst the search wasn't watched before
	 */
	pages(isFirst: boolean): number;
	/** Warns in n8n's log, but not again about the same topic until a call without a message. */
	warnOnce(topic: string, message?: string): void;
	exhausted(): ServiceError;
}

/**
 * @param perCheck requests per check of a company
 * @throws InputError if the budget is more than the plan allows
 */
export function openChecks(session: Session, parameter: Parameter, perCheck = 1): Checks {
	const { account, trigger, send, warn } = session;
	const perDay = budgetIn(parameter, planOf(account.settings).perDay);
	const log = logs.get(account.identity) ?? { sent: [], triggers: new Map() };
	logs.set(account.identity, log);
	const progress: Progress = progresses.get(trigger) ?? {
		isNew: false,
		queue: new Set<string>(),
		allowed: 0,
		failures: new Set<string>(),
		failing: new Set<string>(),
		warned: new Set<string>(),
	};
	progresses.set(trigger, progress);

	const now = systemClock.now();
	log.triggers.set(trigger, { at: now, perDay });
	for (const [other, { at }] of log.triggers) {
		if (Math.abs(now - at) > SHARES_FOR_MS) log.triggers.delete(other);
	}
	// For the rest of its first day, a trigger checks less to make up for the start.
	const part = session.clock < DAY_MS ? 1 - AT_ONCE : 1;
	const share = perDay / log.triggers.size;
	const rate = share * part;
	const largest = Math.max(...[...log.triggers.values()].map((each) => each.perDay));
	// At least the minute between two polls has passed, even if the clock was set back.
	const since = Math.min(progress.polledAt ?? processStartedAt(), now - MINUTE_MS);
	const span = { from: Math.max(since, now - DAY_MS), to: now, trigger };

	const waitMs = () => Math.max(msUntilRoom(log, share, trigger), msUntilRoom(log, largest));
	/**
	 * Requests that a trigger may send at once, whatever its schedule says. Publishing can fail and be
	 * repeated, so each attempt only gets a part of what's left.
	 */
	const atOnce = (hasNew: boolean, isFirst: boolean) => {
		const sent = sentInADay(log, trigger);
		if (isFirst) return Math.max(1, Math.floor((share - sent) * AT_ONCE));
		if (!hasNew && !progress.isNew) return 0;
		return Math.max(0, Math.max(1, Math.floor(share * AT_ONCE)) - sent);
	};
	/** Due checks that have failed in this poll since the last answer. */
	let wasted = 0;
	let watchedCount = 0;
	const exhausted = () => budgetUsedUp(perDay, waitMs());
	return {
		variant: variantOf(account.settings),
		mayAsk: () => waitMs() <= LONGEST_WAIT_MS,
		exhausted,
		async send(request) {
			await systemClock.sleep(Math.min(waitMs(), LONGEST_WAIT_MS));
			return await send(request, () => {
				if (waitMs() > 0) throw exhausted();
				noteRequest(log, trigger);
			});
		},
		due(idnos, added, isFirst) {
			progress.isNew ||= isFirst;
			const sorted = [...idnos].sort();
			watchedCount = sorted.length;
			const step = stepOf(sorted.length, rate / perCheck);
			const passed = isFirst
				? []
				: placesPassed(span, step, sorted.length).map((at) => sorted[at] as string);
			progress.polledAt = now;
			const listed = new Set(idnos);
			const queue = [...added, ...progress.queue, ...passed].filter((idno) => listed.has(idno));
			progress.queue = new Set(queue);
			progress.allowed = Math.min(progress.allowed + passed.length, sorted.length);
			for (const known of [progress.failures, progress.failing]) {
				for (const idno of known) if (!listed.has(idno)) known.delete(idno);
			}
			const extra = Math.ceil(atOnce(added.length > 0, isFirst) / perCheck);
			const most = Math.max(progress.allowed, extra);
			return [...new Set([...progress.queue, ...sorted])].slice(0, most);
		},
		answered(idno) {
			const { queue, failures, failing } = progress;
			queue.delete(idno);
			progress.allowed = Math.max(0, progress.allowed - 1);
			failing.delete(idno);
			failures.delete(idno);
			for (const failed of failures) failing.add(failed);
			failures.clear();
			wasted = 0;
		},
		failed(idno) {
			const { queue, failures, failing } = progress;
			queue.delete(idno);
			queue.add(idno);
			failures.add(idno);
			if (progress.allowed > 0) {
				progress.allowed--;
				wasted++;
			}
			const unexpected = [...failures].filter((each) => !failing.has(each)).length;
			const isOutage = unexpected >= OUTAGE || failures.size >= watchedCount;
			// The companies that are due stay due until the registry is back.
			if (isOutage) progress.allowed += wasted;
			if (isOutage) wasted = 0;
			return isOutage;
		},
		pages(isFirst) {
			progress.isNew ||= isFirst;
			// After a restart, the pages read since the state was stored are read again.
			const earnedSince = progress.polledAt
				? span.from
				: Math.max(Math.min(session.polledAt ?? now, span.from), now - AT_ONCE * DAY_MS);
			progress.polledAt = now;
			const [first, last] = passed({ ...span, from: earnedSince }, DAY_MS / rate);
			return Math.max(last - first, atOnce(false, isFirst));
		},
		warnOnce(topic, message) {
			if (message !== undefined && !progress.warned.has(topic)) warn(message);
			if (message === undefined) progress.warned.delete(topic);
			else progress.warned.add(topic);
		},
	};
}

/** The time between two polls of a trigger. */
interface Span {
	from: number;
	to: number;
	trigger: string;
}

/**
 * The time between two checks. A cycle through all companies never takes about a whole number of days,
 * because a restart at the same time each day would always hit the same companies.
 *
 * @param rate checks per day
 */
export function stepOf(companies: number, rate: number): number {
	const days = companies / rate;
	const whole = Math.round(days);
	const tooWhole = whole > 0 && Math.abs(days - whole) < NEARLY_WHOLE;
	return ((tooWhole ? whole + NEARLY_WHOLE : days) / companies) * DAY_MS;
}

/** The places in the cycle that have come due, each once. */
export function placesPassed(span: Span, step: number, cycle: number): number[] {
	const [first, last] = passed(span, step);
	const count = Math.min(last - first, cycle);
	return Array.from({ length: count }, (_, at) => (last - count + 1 + at) % cycle);
}

/** How many steps had passed at the span's start and end. Each trigger's steps are offset differently. */
function passed({ from, to, trigger }: Span, step: number): [first: number, last: number] {
	const phase = createHash('sha256').update(trigger).digest().readUInt32BE() / 2 ** 32;
	return [Math.floor(from / step + phase), Math.floor(to / step + phase)];
}

function sentInADay({ sent }: KeyLog, by?: string): number {
	const now = systemClock.now();
	// After the clock was set back, requests in the future count as sent now.
	for (const entry of sent) {
		entry.from = Math.min(entry.from, now);
		entry.to = Math.min(entry.to, now);
	}
	while (sent[0] && sent[0].to <= now - DAY_MS) sent.shift();
	let sum = 0;
	for (const { trigger, count } of sent) if (trigger === (by ?? trigger)) sum += count;
	return sum;
}

function noteRequest({ sent }: KeyLog, trigger: string): void {
	const now = systemClock.now();
	const latest = sent.at(-1);
	if (latest && latest.trigger === trigger && now - latest.from < SECOND_MS) {
		latest.to = now;
		latest.count++;
	} else sent.push({ trigger, from: now, to: now, count: 1 });
}

/** When the budget, of all triggers or of one, has room again; 0 if it has room now. */
function msUntilRoom(log: KeyLog, perDay: number, by?: string): number {
	if (sentInADay(log, by) < Math.max(1, Math.floor(perDay))) return 0;
	const oldest = log.sent.find(({ trigger }) => trigger === (by ?? trigger));
	return (oldest?.to ?? 0) + DAY_MS - systemClock.now();
}

function budgetUsedUp(perDay: number, waitMs: number): ServiceError {
	return new ServiceError(
		`The daily budget of ${perDay} ${perDay === 1 ? 'request' : 'requests'} is used up`,
		{
			description: `Try again in ${duration(waitMs)}, or raise "Daily Request Budget". The budget covers any 24 hours and is shared by all triggers that use this key.`,
			failure: { cause: 'quota-exhausted' },
		},
	);
}

function budgetIn(parameter: Parameter, planPerDay: number): number {
	const { dailyRequests } = parameter<{ dailyRequests?: unknown }>('options', {});
	const wanted = isBlank(dailyRequests) ? 0 : Number(dailyRequests);
	if (!Number.isInteger(wanted) || wanted < 0) {
		throw new InputError(
			`The parameter "Daily Request Budget" must be a whole number, but it is "${String(dailyRequests)}"`,
			"Enter 0 to use 80% of the plan's quota.",
		);
	}
	if (wanted > planPerDay) {
		throw new InputError(
			`The "Daily Request Budget" of ${wanted} is more than the plan allows (${planPerDay} per day)`,
			'Lower it, or select your actual plan in the credential.',
		);
	}
	return wanted > 0 ? wanted : Math.max(1, Math.floor(planPerDay * DEFAULT_SHARE));
}
