import type { IDataObject } from 'n8n-workflow';

import { LinkManagementTrigger } from '../../../nodes/LinkManagement/LinkManagementTrigger.node';
import { HostileList } from './hostileList';
import type { Habits } from './hostileList';
import { clock, DAY, HOUR, PollModel } from './pollModel';
import type { Scheduler } from './pollModel';

const REQUEST_MS = 1_000;

/** A published trigger of the Link Management node, over a hostile list. */
export class Watch {
	readonly model: PollModel;
	/** All events. */
	readonly events: IDataObject[] = [];
	/** Requests of the last poll. */
	requests = 0;

	constructor(
		readonly list: HostileList,
		parameters: IDataObject,
		scheduler: Scheduler = 'classic',
	) {
		this.model = new PollModel(new LinkManagementTrigger(), {
			scheduler,
			parameters,
			credentials: { baseUrl: 'https://links.example', apiKey: `key ${Math.random()}` },
			answer: (path, query) => {
				clock.now += REQUEST_MS;
				return list.answer(path, query);
			},
			budgetMs: DAY,
		});
	}

	async publish(): Promise<void> {
		await this.model.publish();
		this.note();
	}

	/**
	 * @param requests that the poll has time for
	 * @returns its events
	 */
	async poll(requests = 10_000): Promise<IDataObject[]> {
		this.model.setting.budgetMs = (requests * REQUEST_MS) / 0.8;
		const before = this.list.requests;
		await this.model.tick();
		this.requests = this.list.requests - before;
		return this.note();
	}

	/** Lets hours pass, with a poll in each. */
	async hours(count: number): Promise<void> {
		for (let hour = 0; hour < count; hour++) {
			clock.now += HOUR;
			await this.poll();
		}
	}

	async restart(): Promise<void> {
		await this.model.restart();
		this.note();
	}

	/** The baseline is complete: from now on, what is new is an event. */
	get isReady(): boolean {
		return this.model.data?.ready === true;
	}

	/** The same, as n8n has stored it: what counts after a restart. */
	get isStoredReady(): boolean {
		const stored = JSON.parse(this.model.state ?? '{}') as { data?: IDataObject };
		return stored.data?.ready === true;
	}

	private note(): IDataObject[] {
		const events = this.model.take();
		this.events.push(...events);
		return events;
	}
}

/** Publishes an event over a list of so many rows, the newest first unless other habits are given. */
export async function watching(
	parameters: IDataObject,
	count: number,
	{ counter = 0, ...habits }: Partial<Habits> & { counter?: number } = {},
): Promise<Watch> {
	const list = new HostileList(habits);
	list.add(count, counter);
	const watch = new Watch(list, parameters);
	await watch.publish();
	return watch;
}
