import type { IDataObject } from 'n8n-workflow';

import { CompanyRegistryTrigger } from '../../../nodes/CompanyRegistry/CompanyRegistryTrigger.node';
import type { Variant } from '../../../nodes/CompanyRegistry/api';
import { forgetEverything } from '../../../nodes/shared/http/processMap';
import { pageOf } from '../../shared/http/listServer';
import { clock, DAY, PollModel, type Answer, type Scheduler } from '../../shared/poll/pollModel';

export function idnoOf(index: number): string {
	return String(1_003_600_000_000 + index * 7);
}

const REQUEST_MS = 200;

/** An in-memory registry. */
export class Registry {
	/** The fields of each company, by IDNO. */
	readonly companies = new Map<string, IDataObject>();
	/** The time of each request. */
	readonly requests: number[] = [];
	/** How often each company was checked, by IDNO. */
	readonly checks = new Map<string, number>();
	/** What a search finds. By default, all companies in the order they were added. */
	shown = () => [...this.companies.values()];
	/** The total that a search reports instead of the real one. */
	total: number | undefined;
	/** An answer from here replaces the registry's. */
	fault: (path: string, query: IDataObject) => Answer | undefined = () => undefined;
	private triggers: PollModel[] = [];
	private readonly apiKey = `key ${Math.random()}`;

	constructor(companies: number) {
		for (let index = 0; index < companies; index++) this.add(index);
	}

	get idnos(): string[] {
		return [...this.companies.keys()];
	}

	add(index: number): string {
		const idno = idnoOf(index);
		this.companies.set(idno, { idno, name: `Company ${index}`, status: 'active' });
		return idno;
	}

	set(idno: string, fields: IDataObject): void {
		Object.assign(this.companies.get(idno)!, fields);
	}

	/** @param perDay requests per day that the key's plan allows */
	trigger(
		parameters: IDataObject,
		perDay = 1_000_000,
		scheduler: Scheduler = 'classic',
		variant: Variant = 'v1',
	): PollModel {
		const trigger = new PollModel(new CompanyRegistryTrigger(), {
			scheduler,
			parameters: { event: 'companyStatusChanged', ...parameters },
			credentials: {
				baseUrl: 'https://registry.example',
				apiKey: this.apiKey,
				variant,
				plan: 'custom',
				requestsPerDay: perDay,
				requestsPerMinute: 1_000_000,
			},
			answer: (path, query) => this.answer(path, query),
		});
		this.triggers.push(trigger);
		return trigger;
	}

	watch(
		idnos: readonly string[],
		options: IDataObject = {},
		perDay?: number,
		scheduler?: Scheduler,
	): PollModel {
		const parameters = { ...listOf(idnos), options: { checkDigit: false, ...options } };
		return this.trigger(parameters, perDay, scheduler);
	}

	/** Simulates a restart of n8n. */
	async restart(): Promise<void> {
		forgetEverything();
		for (const trigger of this.triggers) await trigger.start();
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

	private answer(path: string, query: IDataObject): Answer {
		this.requests.push(clock.now);
		clock.now += REQUEST_MS;
		const fault = this.fault(path, query);
		if (fault) return fault;
		if (path.endsWith('/search')) return { body: this.search(path, query) };
		const idno = path.split('/').at(-1) ?? '';
		const company = this.companies.get(idno);
		if (!company) return { status: 404, body: { success: false, message: 'No such company' } };
		this.checks.set(idno, (this.checks.get(idno) ?? 0) + 1);
		return { body: { success: true, ...company } };
	}

	/** Only the Unversioned API has pages. Searching for an IDNO finds its company. */
	private search(path: string, { page = 1, q }: IDataObject) {
		const isV1 = path.startsWith('/api/v1/');
		const shown = this.shown();
		const ofIdno = shown.filter(({ idno }) => idno === q);
		if (ofIdno.length > 0) this.checks.set(String(q), (this.checks.get(String(q)) ?? 0) + 1);
		const isIdno = /^\d{13}$/.test(String(q));
		const { rows, counters } = pageOf(isIdno ? ofIdno : shown, isV1 ? 1 : Number(page), 50);
		const total = this.total ?? counters.total;
		if (isV1) return { success: true, total, results: rows };
		return { success: true, query: q, total, page, per_page: 50, data: rows };
	}
}

export function listOf(idnos: readonly string[]): IDataObject {
	return { watch: 'text', watchListText: idnos.join('\n') };
}

/** A trigger that watches these fields of all companies. */
export function watchingFields(
	registry: Registry,
	fieldsToWatch: string[],
	options: IDataObject = {},
): PollModel {
	const trigger = registry.watch(registry.idnos, options);
	trigger.setting.parameters.fieldsToWatch = fieldsToWatch;
	return trigger;
}

/** Publishes a trigger that watches the status of this many companies. */
export async function watchingStatus(companies: number, perDay?: number) {
	const registry = new Registry(companies);
	const trigger = registry.watch(registry.idnos, {}, perDay);
	await trigger.publish();
	return { registry, trigger };
}
