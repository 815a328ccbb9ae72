import type { IDataObject } from 'n8n-workflow';

import type { Variant } from '../../../nodes/CompanyRegistry/api';
import { CompanyRegistryTrigger } from '../../../nodes/CompanyRegistry/CompanyRegistryTrigger.node';
import { forgetEverything } from '../../../nodes/shared/poll/state';
import { pageOf } from '../../shared/http/listServer';
import { clock, DAY, PollModel, type Answer, type Scheduler } from '../../shared/poll/pollModel';

export function idnoOf(index: number): string {
	return String(1_003_600_000_000 + index * 7);
}

const REQUEST_MS = 200;

/** The registry in memory. */
export class Registry {
	/** By IDNO: the fields of the company. */
	readonly companies = new Map<string, IDataObject>();
	/** When each request came. */
	readonly requests: number[] = [];
	/** By IDNO: how often it was looked at. */
	readonly checks = new Map<string, number>();
	/** What a search finds. Default: all companies, in the order in which they were added. */
	shown = () => [...this.companies.values()];
	/** What a search says that it finds. */
	total: number | undefined;
	/** Answers instead of the service. */
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

	/** @param perDay requests that the key's plan allows */
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

	/** A trigger that watches companies of a list. */
	watch(idnos: readonly string[], options: IDataObject = {}, perDay?: number) {
		return this.trigger({ ...listOf(idnos), options: { checkDigit: false, ...options } }, perDay);
	}

	/** n8n restarts. */
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

	/** Only the Unversioned API has pages. An IDNO finds its company. */
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
