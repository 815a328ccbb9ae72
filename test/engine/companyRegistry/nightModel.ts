import type { IDataObject } from 'n8n-workflow';

import { enrich } from '../../../nodes/CompanyRegistry/enrich/enrich';
import { limiterFor } from '../../../nodes/shared/http/limiter';
import { systemClock } from '../../../nodes/shared/http/clock';
import type { Account } from '../../../nodes/shared/http/connection';
import { ServiceError } from '../../../nodes/shared/http/errors';
import type { ApiRequest } from '../../../nodes/shared/http/request';
import type { Call } from '../../../nodes/shared/node/call';
import type { Hint, Run } from '../../../nodes/shared/node/run';
import { withCheckDigit } from '../support';

/** A registry without HTTP, and the nightly run of Enrich without n8n: fast enough for thousands of nights. */

export interface Company extends IDataObject {
	idno: string;
	name: string;
	status: string;
	city: string;
}

const SYLLABLES = ['ba', 'ce', 'di', 'fo', 'gu', 'la', 'me', 'ni', 'po', 'ru'];
export const CITIES = ['Orhei', 'Cahul', 'Soroca'];

/** A name that no rule reads as something else. */
export function coined(number: number): string {
	const [a, b] = [number % 10, Math.floor(number / 10) % 10];
	const c = (a + b + Math.floor(number / 100)) % 10;
	return `Z${SYLLABLES[a]}${SYLLABLES[b]}xim${SYLLABLES[c]}`;
}

export const companyOf = (number: number): Company => ({
	idno: withCheckDigit(String(100_000_000_000 + number)),
	name: `${coined(number)} SRL`,
	status: 'active',
	city: CITIES[number % 3]!,
});

/** The name that a company had at first. */
export const firstNameOf = (idno: string) =>
	companyOf(Number(idno.slice(0, 12)) - 100_000_000_000).name;

/** What may go wrong in a night. */
export interface Night {
	/** Requests that the key has left. */
	quota: number;
	/** The search finds nobody. */
	isBlind?: boolean;
	/** After so many requests, the service fails, and recovers after so many. */
	failsFrom?: number;
	failsUntil?: number;
	/** The plan has no recommendations. */
	isDenied?: boolean;
	/** What recommendations say otherwise than the search. */
	credits?: Partial<Company>;
}

export class ModelRegistry {
	readonly companies = new Map<string, Company>();
	/** Requests of the current night. */
	requests: string[] = [];
	night: Night = { quota: Infinity };

	set(company: Company): void {
		// JSON has no undefined fields.
		this.companies.set(company.idno, JSON.parse(JSON.stringify(company)) as Company);
	}

	begin(night: Night): void {
		this.night = night;
		this.requests = [];
	}

	answer({ path, query, values }: ApiRequest): unknown {
		const { quota, failsFrom = Infinity, failsUntil = Infinity, isBlind, isDenied } = this.night;
		if (this.requests.length >= quota) {
			throw new ServiceError('Used up', { kind: 'quota', httpCode: '429' });
		}
		const q = String(query?.q ?? values?.idno);
		this.requests.push(`${path} ${q}`);
		const { length } = this.requests;
		if (length > failsFrom && length <= failsUntil) {
			throw new ServiceError('Down', { kind: 'server', httpCode: '503' });
		}
		if (path.includes('/credit/')) {
			if (isDenied) throw new ServiceError('Not in your plan', { kind: 'denied', httpCode: '403' });
			const company = this.companies.get(q);
			if (!company) throw new ServiceError('None', { kind: 'notFound', httpCode: '404' });
			const { idno, name, status } = company;
			return { success: true, idno, name, status, rating: 'B', ...this.night.credits };
		}
		const words = q.toLowerCase().split(' ');
		const all = isBlind ? [] : [...this.companies.values()];
		const data = all.filter(({ name, idno }) => {
			return words.every((word) => `${name} ${idno}`.toLowerCase().includes(word));
		});
		return { success: true, total: data.length, data };
	}
}

interface NightResult {
	rows: IDataObject[];
	hints: Hint[];
	/** Why the run failed. */
	error?: Error;
}

interface Surroundings {
	/** The plan's day. */
	perDay?: number;
	/** Where a loop stands. */
	loop?: 'around' | 'before';
}

/** The key of all runs. */
export const accountOf = (perDay: number) =>
	({
		settings: { variant: 'v1', plan: 'custom', requestsPerDay: perDay },
		identity: 'key',
		mask: (text: string) => text,
	}) as unknown as Account;

/** Runs Enrich over a list with one item at a time, as it does with a small quota. */
export async function runNight(
	registry: ModelRegistry,
	list: readonly IDataObject[],
	parameters: IDataObject = {},
	{ perDay = Infinity, loop }: Surroundings = {},
): Promise<NightResult> {
	const memory = new Map<string, unknown>();
	const responses = new Map<string, Promise<unknown>>();
	const remembered = <T>(key: string, make: () => T): T => {
		if (!memory.has(key)) memory.set(key, make());
		return memory.get(key) as T;
	};
	const node = { name: 'Enrich', type: 'companyRegistry', parameters };
	const account = accountOf(perDay);
	const limiter = limiterFor(account.identity, { limit: 1_000, windowMs: 60_000, perDay });
	const loops = [{ type: 'n8n-nodes-base.splitInBatches' }];
	const run = {
		limiter,
		isTool: false,
		get requestsSent() {
			return registry.requests.length;
		},
	} as unknown as Run;
	const items = list.map((json) => {
		const call = {
			context: {
				getInputData: () => ({ json }),
				getNode: () => node,
				continueOnFail: () => false,
				getParentNodes: () => (loop ? loops : []),
				getChildNodes: () => (loop === 'around' ? loops : []),
			},
			run,
			parameter: (name: string, fallback: unknown) => parameters[name] ?? fallback,
			connection: async () => await Promise.resolve({ account, limiter }),
			memo: async (key: string, make: () => unknown) =>
				await Promise.resolve(remembered(key, make)),
			async send(request: ApiRequest, { before }: { before?: () => void } = {}) {
				const key = JSON.stringify(request);
				const send = async () => {
					before?.();
					limiter.ledger.note(systemClock.now());
					return await Promise.resolve(registry.answer(request));
				};
				const response = responses.get(key) ?? send();
				responses.set(key, response);
				return await response;
			},
		};
		return enrich.prepare(call as unknown as Call);
	});
	const opened = enrich.open!(items, run);
	const rows: IDataObject[] = [];
	for (const place of opened.order!) {
		[rows[place]] = (await opened.execute(items[place]!)).records as [IDataObject];
	}
	const { notices = [], failure } = opened.end!();
	return { rows, hints: notices, error: failure };
}

const DAY_MS = 86_400_000;
const { now } = systemClock;
const FIRST_NIGHT = Date.parse('2026-03-01T02:00:00Z');

/** When a night begins. */
export const timeOf = (night: number) => FIRST_NIGHT + night * DAY_MS;

/** Sets the clock to a night. */
export function setNight(night: number): void {
	let time = timeOf(night);
	systemClock.now = () => time++;
}

export function resetClock(): void {
	systemClock.now = now;
}
