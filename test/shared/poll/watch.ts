import type { IDataObject } from 'n8n-workflow';

import { LinkManagementTrigger } from '../../../nodes/LinkManagement/LinkManagementTrigger.node';
import { HostileList, type Habits } from './hostileList';
import { clock, DAY, PollModel, type Scheduler } from './pollModel';

const REQUEST_MS = 1_000;

/** A Link Management Trigger that watches a hostile list. */
export class Watch extends PollModel {
	/** How many requests the last poll sent. */
	requests = 0;

	constructor(
		readonly list: HostileList,
		parameters: IDataObject,
		scheduler: Scheduler = 'classic',
	) {
		super(new LinkManagementTrigger(), {
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

	/** Polls with time for this many requests, and returns the events. */
	async poll(requests = 10_000): Promise<IDataObject[]> {
		this.setting.budgetMs = (requests * REQUEST_MS) / 0.8;
		const before = this.list.requests;
		const events = await this.tick();
		this.requests = this.list.requests - before;
		return events;
	}
}

/** Publishes a trigger for a list with `count` rows, newest first unless `habits` say otherwise. */
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
