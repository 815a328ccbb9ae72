import type { INodeProperties } from 'n8n-workflow';
import { z } from 'zod';

import { DAY_MS, duration, HOUR_MS, systemClock } from '../../shared/http/clock';
import { InputError, ServiceError } from '../../shared/http/errors';
import type { ApiRequest } from '../../shared/http/request';
import { isBlank } from '../../shared/node/validators';
import type { Parameter } from '../../shared/poll/event';
import type { Session } from '../../shared/poll/session';
import { processMap } from '../../shared/poll/state';
import { planOf } from '../api';

/** The share of the plan's quota that triggers use. The rest is for other workflows. */
const DEFAULT_SHARE = 0.8;
/** How much of a day's requests may be spent at once on what is new, and after a restart. */
const AT_ONCE = 0.25;
/** A daily poll can start moments before yesterday's requests are a day old. */
const LONGEST_WAIT_MS = 10_000;
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
		"Maximum requests per day. 0 uses 80% of your plan's daily quota. Shared by all triggers that use this key.",
};

/** What this process remembers about a key. */
interface KeyLog {
	/** When the requests of the last 24 hours were sent. */
	sent: number[];
	/** By trigger: its latest poll and its budget. */
	triggers: Map<string, { at: number; perDay: number }>;
}

const logs = processMap<KeyLog>();

/** What a trigger stores of its allowance: what it hadn't spent, when, and with how many others it shared. */
export type StoredAllowance = z.infer<ReturnType<typeof allowanceSchema>>;

export function allowanceSchema() {
	return z.object({
		left: z.number().min(0),
		at: z.number(),
		sharers: z.number().int().min(1),
	});
}

/**
 * The requests that a trigger may send. They grow with time, up to a day's worth, at the trigger's share
 * of the key's daily request budget. After a restart, the stored allowance may be old, so it has grown to
 * a quarter of a day's requests at most.
 *
 * Whatever the triggers are allowed, those of a key never send more than the budget within 24 hours, as
 * far as this process remembers.
 */
export class Allowance {
	private left: number;

	constructor(
		private readonly session: Session,
		private readonly log: KeyLog,
		private readonly perDay: number,
		private readonly sharers: number,
		/** What a check or a page takes, so that no allowance is limited to less. */
		private readonly least: number,
		stored: StoredAllowance | undefined,
		isRemembered: boolean,
	) {
		const { left, at } = stored ?? { left: 0, at: systemClock.now() };
		const earned = (Math.max(0, systemClock.now() - at) / DAY_MS) * this.share;
		const most = isRemembered ? this.share : this.share * AT_ONCE;
		this.left = Math.min(left + earned, Math.max(least, most));
	}

	get stored(): StoredAllowance {
		return { left: this.left, at: systemClock.now(), sharers: this.sharers };
	}

	private get share(): number {
		return this.perDay / this.sharers;
	}

	/** Makes sure that something new can be read at once, even if nothing is left. */
	grant(requests = Infinity): void {
		const most = Math.max(this.least, this.share * AT_ONCE);
		this.left = Math.max(this.left, Math.min(requests, most));
	}

	mayAsk(requests = 1): boolean {
		return this.left >= requests && this.waitMs <= LONGEST_WAIT_MS;
	}

	spend(requests = 1): void {
		this.left = Math.max(0, this.left - requests);
	}

	/** @throws ServiceError, including when the budget is used up */
	async send(request: ApiRequest): Promise<unknown> {
		await systemClock.sleep(Math.min(this.waitMs, LONGEST_WAIT_MS));
		return await this.session.send(request, () => {
			if (this.waitMs > 0) throw this.exhausted();
			this.log.sent.push(systemClock.now());
		});
	}

	exhausted(): ServiceError {
		const { perDay } = this;
		return new ServiceError(
			`The daily request budget of ${perDay} ${perDay === 1 ? 'request' : 'requests'} is used up`,
			{
				description: `Try again in ${duration(this.waitMs)}, or raise "Daily Request Budget". It covers any 24 hours and is shared by all triggers that use this key.`,
				failure: { cause: 'quota-exhausted' },
			},
		);
	}

	/** When the key's budget has room again; 0 if it has room now. With several budgets, the largest counts. */
	private get waitMs(): number {
		const { sent, triggers } = this.log;
		const now = systemClock.now();
		while (sent[0] !== undefined && sent[0] <= now - DAY_MS) sent.shift();
		const most = Math.max(...[...triggers.values()].map(({ perDay }) => perDay));
		const oldest = sent.at(-most);
		return oldest === undefined ? 0 : oldest + DAY_MS - now;
	}
}

/**
 * @param least what a check or a page takes
 * @throws InputError if the budget is more than the plan allows
 */
export function openAllowance(
	session: Session,
	parameter: Parameter,
	stored: StoredAllowance | undefined,
	least = 1,
): Allowance {
	const { account, trigger } = session;
	const perDay = budgetIn(parameter, planOf(account.settings).perDay);
	const log = logs.get(account.identity) ?? { sent: [], triggers: new Map() };
	logs.set(account.identity, log);

	const now = systemClock.now();
	// After the clock was set back, requests in the future count as sent now.
	log.sent = log.sent.map((at) => Math.min(at, now));
	const previous = log.triggers.get(trigger)?.at;
	log.triggers.set(trigger, { at: now, perDay });
	// A weekly trigger shares with all that have polled since its own last poll.
	const since = Math.min(previous ?? now, now - SHARES_FOR_MS);
	for (const [other, { at }] of log.triggers) if (at < since) log.triggers.delete(other);
	// After a restart, this process hasn't seen the other triggers yet.
	const known = previous === undefined ? (stored?.sharers ?? 1) : 1;
	const sharers = Math.max(known, log.triggers.size);
	return new Allowance(session, log, perDay, sharers, least, stored, previous !== undefined);
}

function budgetIn(parameter: Parameter, planPerDay: number): number {
	const { dailyRequests } = parameter<{ dailyRequests?: unknown }>('options', {});
	const wanted = isBlank(dailyRequests) ? 0 : Number(dailyRequests);
	if (!Number.isInteger(wanted) || wanted < 0) {
		throw new InputError(
			`The parameter "Daily Request Budget" must be a whole number, but it is "${String(dailyRequests)}"`,
			"Enter 0 to use 80% of the plan's daily quota.",
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
