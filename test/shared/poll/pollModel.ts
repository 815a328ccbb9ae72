import type {
	IDataObject,
	IHttpRequestOptions,
	INodeExecutionData,
	INodeType,
	IPollFunctions,
} from 'n8n-workflow';

import { systemClock } from '../../../nodes/shared/http/clock';
import { forgetEverything } from '../../../nodes/shared/http/processMap';
import { resumedState } from '../../../nodes/shared/poll/state';

export const MINUTE = 60_000;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;

export type Scheduler = 'classic' | 'durable';

/** A service's answer. The status is 200 by default. */
export type Answer = { status?: number; body: unknown };

interface ModelSetting {
	parameters: IDataObject;
	credentials: IDataObject;
	/** Answers a request, by its path and query. */
	answer: (path: string, query: IDataObject) => Answer | Promise<Answer>;
	scheduler?: Scheduler;
	/** What `getPollBudgetMs` returns. */
	budgetMs?: number;
}

let triggers = 0;

/** The time of all models, in ms since the epoch. Tests move it. */
export const clock = { now: 0 };

beforeEach(() => {
	clock.now = Date.UTC(2026, 0, 5, 8, 30);
	jest.spyOn(systemClock, 'now').mockImplementation(() => clock.now);
	jest.spyOn(systemClock, 'sleep').mockImplementation(async (ms, signal) => {
		// A signal means a deadline, which no request of a model reaches.
		if (signal) await new Promise((resolve) => signal.addEventListener('abort', resolve));
		else clock.now += ms;
	});
	forgetEverything();
});

/**
 * A published trigger in a simulated n8n without HTTP, for tests with thousands of polls. It stores
 * the same state as n8n's schedulers: the in-memory one stores it after publishing and after polls
 * with events, the durable one after every poll but not after publishing.
 */
export class PollModel {
	/** All events so far. */
	readonly events: IDataObject[] = [];
	readonly warnings: string[] = [];
	readonly errors: Error[] = [];
	/** The timeout of each request. */
	readonly timeouts: Array<number | undefined> = [];
	private stored: IDataObject = {};
	private current: IDataObject = {};
	private readonly id = `model ${++triggers}`;

	constructor(
		/** The node of the process that runs the polls. */
		public node: INodeType,
		readonly setting: ModelSetting,
	) {}

	/** Publishes the workflow, for the first time or after an edit, and returns the events. */
	async publish(): Promise<IDataObject[]> {
		this.current = { ...this.stored };
		return await this.pollAndStore(!this.isDurable);
	}

	/** Polls on schedule, and returns the events. */
	async tick(): Promise<IDataObject[]> {
		if (this.isDurable) this.current = { ...this.stored };
		try {
			return await this.pollAndStore(this.isDurable);
		} catch (error) {
			this.errors.push(error as Error);
			return [];
		}
	}

	/** The same, but n8n hasn't stored the outcome yet when the next poll starts. */
	async tickUnstored(): Promise<IDataObject[]> {
		const before = this.stored;
		const events = await this.tick();
		this.stored = before;
		return events;
	}

	/** Activates the workflow as n8n does when it starts. */
	async start(): Promise<void> {
		this.current = { ...this.stored };
		if (!this.isDurable) await this.publish().catch((error) => this.errors.push(error as Error));
	}

	/** Simulates a restart of n8n. */
	async restart(): Promise<void> {
		forgetEverything();
		await this.start();
	}

	/** Fetches a test event, as the editor does. */
	async test(): Promise<IDataObject | undefined> {
		return (await this.run({}, 'manual'))[0];
	}

	/** The trigger's current state, stored or not; undefined before the first publication. */
	get data(): IDataObject | undefined {
		return dataOf(resumedState(JSON.stringify([this.id, 'Trigger']), this.stored.state));
	}

	/** The state that n8n has stored, which is what remains after a restart. */
	get storedData(): IDataObject | undefined {
		return dataOf(this.stored.state && JSON.parse(String(this.stored.state)));
	}

	private get isDurable(): boolean {
		return this.setting.scheduler === 'durable';
	}

	private async pollAndStore(always: boolean): Promise<IDataObject[]> {
		const events = await this.run(this.current);
		if (always || events.length > 0) this.stored = { ...this.current };
		this.events.push(...events);
		return events;
	}

	private async run(staticData: IDataObject, mode = 'trigger'): Promise<IDataObject[]> {
		const { parameters, budgetMs } = this.setting;
		const node = { id: 'node', type: 'trigger', name: 'Trigger', parameters, credentials: {} };
		const context = {
			getMode: () => mode,
			getNode: () => node,
			getNodeParameter: (name: string, fallback?: unknown) => parameters[name] ?? fallback,
			getWorkflow: () => ({ id: this.id }),
			getWorkflowStaticData: () => staticData,
			getCredentials: async () => this.setting.credentials,
			...(budgetMs === undefined ? {} : { getPollBudgetMs: () => budgetMs }),
			logger: { warn: (message: string) => this.warnings.push(message) },
			helpers: {
				httpRequestWithAuthentication: async (_type: string, options: IHttpRequestOptions) =>
					await this.respond(options),
			},
		};
		const result = await this.node.poll!.call(context as unknown as IPollFunctions);
		const [items = []]: INodeExecutionData[][] = result ?? [];
		return items.map(({ json }) => json);
	}

	private async respond({ url = '', qs = {}, timeout }: IHttpRequestOptions) {
		this.timeouts.push(timeout);
		const { status = 200, body } = await this.setting.answer(url, qs as IDataObject);
		return {
			statusCode: status,
			headers: { 'x-ratelimit-limit': '1000000', 'x-ratelimit-remaining': '999999' },
			body: typeof body === 'string' ? body : JSON.stringify(body),
		};
	}
}

function dataOf(state: unknown): IDataObject | undefined {
	return (state as { data?: IDataObject } | undefined)?.data;
}

/** Moves the clock by hours with one poll in each, and returns the events. */
export async function hours(count: number, ...triggers: PollModel[]): Promise<IDataObject[]> {
	const events: IDataObject[] = [];
	for (let hour = 0; hour < count; hour++) {
		clock.now += HOUR;
		for (const trigger of triggers) events.push(...(await trigger.tick()));
	}
	return events;
}
