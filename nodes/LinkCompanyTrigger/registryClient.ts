import type { ICredentialDataDecryptedObject } from 'n8n-workflow';

import { planOf, variantOf } from '../CompanyRegistry/service';
import type { Variant } from '../CompanyRegistry/service';
import { isBlank } from '../shared/node/validators';
import { InputError, ServiceError } from '../shared/http/errors';
import type { ApiRequest } from '../shared/http/sendRequest';
import type { PollSettings } from './event';
import type { PollClient } from './pollClient';
import { budgetOf, USED_HOURLY } from './requestBudget';

/** The part of the plan's quota that is left for everything else that uses the key. */
const RESERVED_SHARE = 0.2;
const MINUTE_MS = 60_000;

/** The request was not sent, since the daily budget does not allow it now. */
export class BudgetUsedUp extends ServiceError {}

/** Sends the requests of one poll, one after the other, within the daily budget of the key. */
export interface RegistryClient {
	variant: Variant;
	/** Requests per day. */
	perDay: number;
	/** Part of the plan's daily quota, from 0 to 1. */
	planShare: number;
	/** Requests that may be sent now. */
	available(): number;
	/** Requests per day that this trigger may send in any case. */
	steadyPerDay(): number;
	/**
	 * @throws ServiceError
	 * @throws BudgetUsedUp when nothing was sent
	 */
	send(request: ApiRequest): Promise<unknown>;
	budgetUsedUp(): BudgetUsedUp;
	/** When the reserve for restarts was used last; the trigger stores it. */
	reserveUsedAt(): number | undefined;
}

/**
 * @param firstPublication whether the trigger was never published before
 * @param reserveUsedAt what the trigger has stored of it
 * @throws InputError when the budget is more than the plan allows
 */
export function registryClient(
	client: PollClient,
	{ parameter, trigger }: PollSettings,
	firstPublication: boolean,
	reserveUsedAt: number | undefined,
): RegistryClient {
	const { baseUrl, apiKey } = client;
	const credential = client.settings as ICredentialDataDecryptedObject;
	const plan = planOf(credential);
	const perDay = budgetIn(parameter, plan.perDay);
	const budget = budgetOf(JSON.stringify([baseUrl, apiKey]), trigger, firstPublication);
	budget.join(trigger, perDay, reserveUsedAt);
	const available = () => budget.available(trigger);
	const budgetUsedUp = () => {
		const waitMs = budget.msUntilAvailable(trigger);
		return new BudgetUsedUp(`The daily budget of ${perDay} requests is exhausted`, {
			description: `The next request can be sent in ${inWords(waitMs)}. The budget is for any 24 hours. All triggers with the same key share it, and it starts empty when n8n restarts.`,
			failure: { cause: 'quota-exhausted' },
		});
	};

	return {
		variant: variantOf(credential),
		perDay,
		planShare: perDay / plan.perDay,
		available,
		steadyPerDay: () => budget.steadyPerDay(trigger),
		budgetUsedUp,
		reserveUsedAt: () => budget.reserveUsedAt,
		async send(request) {
			let attempts = 0;
			client.beforeAttempt = () => {
				if (available() < 1) {
					throw attempts === 0
						? budgetUsedUp()
						: new ServiceError(
								`A request failed, and the daily budget of ${perDay} requests does not allow a retry now`,
								{ failure: { cause: 'temporarily-unavailable' } },
							);
				}
				budget.spend(trigger);
				attempts++;
			};
			return await client.send(request);
		},
	};
}

/** Tells the log how long a round of look-ups takes, e.g. about every 7 days. */
export function logRound(
	{ perDay, planShare }: RegistryClient,
	{ info }: PollSettings,
	companies: number | undefined,
): void {
	const share = `${perDay} requests a day (${Math.round(planShare * 100)}% of the plan)`;
	if (companies === undefined) {
		info(`up to ${share}; each shows up to 50 companies of the search`);
		return;
	}
	const used = perDay * USED_HOURLY;
	const days = Math.round(companies / used);
	const often =
		days > 1
			? `about every ${days} days`
			: `up to ${Math.max(1, Math.floor(used / companies))} times a day`;
	info(`${companies} companies at ${share}: with hourly polls, each is checked ${often}`);
}

function budgetIn(parameter: PollSettings['parameter'], planPerDay: number): number {
	const { dailyRequests } = parameter<{ dailyRequests?: unknown }>('options', {});
	const given = dailyRequests ?? parameter<unknown>('dailyRequests', 0);
	const wanted = isBlank(given) ? 0 : Number(given);
	if (!Number.isInteger(wanted) || wanted < 0) {
		throw new InputError(
			`The parameter "Daily Request Budget" must be a whole number, but it is "${String(given)}"`,
			'Enter 0 to use 80% of the quota of the plan.',
		);
	}
	if (wanted > planPerDay) {
		throw new InputError(
			`The Daily Request Budget of ${wanted} is more than the plan allows (${planPerDay} per day)`,
			'Lower it, or select the right Plan in the credential.',
		);
	}
	return wanted > 0 ? wanted : Math.max(1, Math.floor(planPerDay * (1 - RESERVED_SHARE)));
}

function inWords(ms: number): string {
	const minutes = Math.ceil(ms / MINUTE_MS);
	return minutes < 120 ? `${minutes} min` : `${Math.ceil(minutes / 60)} hours`;
}
