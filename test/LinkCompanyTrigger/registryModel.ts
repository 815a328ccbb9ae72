import type { IDataObject } from 'n8n-workflow';

import type { PreparedEvent, TriggerEvent } from '../../nodes/LinkCompanyTrigger/event';
import { PageReader } from '../../nodes/LinkCompanyTrigger/pageReader';
import { forgetEverything } from '../../nodes/LinkCompanyTrigger/pollCache';
import type { PollClient } from '../../nodes/LinkCompanyTrigger/pollClient';
import { systemClock } from '../../nodes/shared/http/clock';
import type { Json } from '../../nodes/shared/http/envelope';
import { ServiceError } from '../../nodes/shared/http/errors';
import type { ApiRequest } from '../../nodes/shared/http/sendRequest';

export const MINUTE = 60_000;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;

export function idnoOf(index: number): string {
	return String(1_003_600_000_000 + index * 7);
}

export function outage(): ServiceError {
	return new ServiceError('Company Registry is not working right now (HTTP 503)', {
		httpCode: '503',
		failure: { cause: 'temporarily-unavailable' },
	});
}

/** The registry in memory, with a clock that may be wrong. */
export class RegistryModel {
	/** The time that passes, in ms since the epoch. */
	time = Date.UTC(2026, 0, 5, 8);
	/** What the machine's clock is ahead. */
	clockError = 0;
	/** By IDNO. */
	readonly statuses = new Map<string, string>();
	/** When each request came, in real time. */
	readonly requests: number[] = [];
	readonly lookedAt = new Map<string, number>();
	/** Answers for the service, or throws; undefined lets the registry answer. */
	hostile: (request: ApiRequest) => unknown = () => undefined;

	constructor(companies: number) {
		for (let i = 0; i < companies; i++) this.statuses.set(idnoOf(i), 'active');
		jest.spyOn(systemClock, 'now').mockImplementation(() => this.time + this.clockError);
	}

	get idnos(): string[] {
		return [...this.statuses.keys()];
	}

	/** Answers a request, with two retries if it fails for a reason that may pass. */
	send(request: ApiRequest, beforeAttempt: () => void): unknown {
		for (let attempt = 1; ; attempt++) {
			beforeAttempt();
			this.requests.push(this.time);
			this.time += 200;
			try {
				return this.answer(request);
			} catch (error) {
				const passes =
					error instanceof ServiceError && error.failure?.cause === 'temporarily-unavailable';
				if (!passes || attempt === 3) throw error;
			}
		}
	}

	private answer(request: ApiRequest): unknown {
		const hostile = this.hostile(request);
		if (hostile !== undefined) return hostile;
		const idno = request.values?.idno;
		if (idno === undefined) return this.search(request);
		const status = this.statuses.get(idno);
		if (status === undefined) throw new ServiceError('No such company', { httpCode: '404' });
		this.lookedAt.set(idno, (this.lookedAt.get(idno) ?? 0) + 1);
		return { success: true, idno, name: `Company ${idno}`, status };
	}

	/** All companies, 50 a page, in the order in which they were added. */
	private search({ query = {} }: ApiRequest): unknown {
		const at = (Number(query.page ?? 1) - 1) * 50;
		const rows = [...this.statuses].map(([idno, status]) => ({ idno, name: idno, status }));
		return { success: true, total: rows.length, data: rows.slice(at, at + 50) };
	}

	/** The largest number of requests in any 24 hours. */
	get mostInADay(): number {
		let most = 0;
		for (let end = 0, start = 0; end < this.requests.length; end++) {
			while (this.requests[end]! - this.requests[start]! >= DAY) start++;
			most = Math.max(most, end - start + 1);
		}
		return most;
	}
}

export interface TriggerSetting {
	event: TriggerEvent;
	parameters: IDataObject;
	/** The durable scheduler stores the state of every poll, the classic one of few. */
	scheduler?: 'classic' | 'durable';
	name?: string;
	variant?: 'v1' | 'unversioned';
}

/** A published trigger, with what n8n stores of it. */
export class TriggerModel {
	readonly events: Json[] = [];
	readonly warnings: string[] = [];
	readonly log: string[] = [];
	parameters: IDataObject;
	apiKey = 'key';
	private stored: string | undefined;
	private state: string | undefined;

	constructor(
		readonly registry: RegistryModel,
		private readonly setting: TriggerSetting,
	) {
		this.parameters = setting.parameters;
	}

	/** Publishes the workflow, for the first time or after an edit. */
	async publish(): Promise<void> {
		await this.poll();
		this.stored = this.state;
	}

	async poll(): Promise<void> {
		const { event, scheduler = 'classic' } = this.setting;
		const prepared: PreparedEvent<unknown> = event.prepare({
			parameter: <T>(name: string, fallback: T) => (this.parameters[name] as T) ?? fallback,
			trigger: this.setting.name ?? 'trigger',
			utcOffsetMinutes: 0,
			warn: (message: string) => this.warnings.push(message),
			info: (message: string) => this.log.push(message),
		} as Parameters<TriggerEvent['prepare']>[0]);
		const reader = new PageReader({ over: false });
		const stored =
			this.state === undefined ? undefined : event.state().parse(JSON.parse(this.state));
		const { emitExisting = false } = (this.parameters.options ?? {}) as { emitExisting?: boolean };
		const outcome = await prepared.poll(stored, {
			client: this.client(),
			reader,
			emitExisting,
			firstPublication: this.state === undefined,
			revision: JSON.stringify([this.parameters, this.apiKey]),
		});
		const text = JSON.stringify(outcome.state);
		if (reader.failure && outcome.events.length === 0 && text === this.state) throw reader.failure;
		this.events.push(...outcome.events);
		this.state = text;
		if (scheduler === 'durable' || outcome.events.length > 0) this.stored = text;
	}

	/** n8n starts again. The classic scheduler polls at once and stores what that gives. */
	async restart(): Promise<void> {
		this.state = this.stored;
		if (this.setting.scheduler === 'durable') return;
		await this.poll().catch(() => {});
		this.stored = this.state;
	}

	/** What the trigger stores. */
	get text(): string {
		return this.state ?? '';
	}

	private client(): PollClient {
		const client: PollClient = {
			baseUrl: 'https://registry.example',
			settings: {
				variant: this.setting.variant ?? 'v1',
				plan: 'custom',
				requestsPerDay: 1_000_000,
				requestsPerMinute: 1_000,
			},
			apiKey: this.apiKey,
			identity: '',
			beforeAttempt: () => {},
			perMinute: () => 60,
			send: async (request) => this.registry.send(request, () => client.beforeAttempt()),
			page: async () => ({ rows: [] }),
		};
		return client;
	}
}

/** A restart of the process in which all triggers run. */
export async function restartAll(triggers: readonly TriggerModel[]): Promise<void> {
	forgetEverything();
	for (const trigger of triggers) await trigger.restart();
}
