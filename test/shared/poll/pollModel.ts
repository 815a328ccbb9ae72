import type {
	IDataObject,
	IHttpRequestOptions,
	INodeExecutionData,
	INodeType,
	IPollFunctions,
} from 'n8n-workflow';

import { systemClock } from '../../../nodes/shared/http/clock';
import { forgetEverything, newestState } from '../../../nodes/shared/poll/state';

export const MINUTE = 60_000;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;

export type Scheduler = 'classic' | 'durable';

/** What the service answers: a body, or a status and a body. */
export type Answer = { status?: number; body: unknown };

export interface ModelSetting {
	parameters: IDataObject;
	credentials: IDataObject;
	/** Answers a request, by its path and query. */
	answer: (path: string, query: IDataObject) => Answer;
	scheduler?: Scheduler;
	/** Differs per trigger of a test. */
	id?: string;
	/** What `getPollBudgetMs` answers. */
	budgetMs?: number;
}

let triggers = 0;

/** The time of all models, in ms since the epoch. Tests move it. */
export const clock = { now: 0 };

beforeEach(() => {
	clock.now = Date.UTC(2026, 0, 5, 8, 30);
	jest.spyOn(systemClock, 'now').mockImplementation(() => clock.now);
	jest.spyOn(systemClock, 'sleep').mockImplementation(async (ms, signal) => {
		// A deadline: no request of a model waits for it.
		if (signal) await new Promise((resolve) => signal.addEventListener('abort', resolve));
		else clock.now += ms;
	});
	forgetEverything();
});

/**
 * A published trigger in an n8n whose requests stay in memory, for tests with thousands of polls. It
 * stores what each of n8n's schedulers stores: the in-memory one the state of a publication and of
 * polls with events, the durable one that of every poll after the publication.
 */
export class PollModel {
	/** The events since the last `take`. */
	private fresh: IDataObject[] = [];
	readonly warnings: string[] = [];
	readonly errors: Error[] = [];
	private stored: IDataObject = {};
	private current: IDataObject = {};
	private readonly id: string;

	constructor(
		private readonly node: INodeType,
		readonly setting: ModelSetting,
	) {
		this.id = setting.id ?? `model ${++triggers}`;
	}

	/** Publishes the workflow, for the first time or after an edit. Throws what the poll throws. */
	async publish(): Promise<void> {
		this.load();
		const events = await this.poll(this.current);
		this.emit(events);
		if (this.isDurable && events.length === 0) return;
		this.save();
	}

	/** A poll on schedule. */
	async tick(): Promise<void> {
		if (this.isDurable) this.load();
		try {
			const events = await this.poll(this.current);
			this.emit(events);
			if (this.isDurable || events.length > 0) this.save();
		} catch (error) {
			this.errors.push(error as Error);
		}
	}

	/** What a start of n8n does with the workflow; the process must have ended before. */
	async start(): Promise<void> {
		this.load();
		if (!this.isDurable) await this.publish().catch((error) => this.errors.push(error as Error));
	}

	/** n8n ends and starts. */
	async restart(): Promise<void> {
		forgetEverything();
		await this.start();
	}

	/** "Fetch test event". */
	async test(): Promise<IDataObject | undefined> {
		return (await this.poll({}, 'manual'))[0];
	}

	take(): IDataObject[] {
		return this.fresh.splice(0);
	}

	/** What n8n has stored. */
	get state(): string | undefined {
		return this.stored.state as string | undefined;
	}

	/** What the trigger knows, stored or not; undefined before the first publication. */
	get data(): IDataObject | undefined {
		const text = newestState(JSON.stringify(['workflow', this.id]), this.stored.state);
		return text === undefined
			? undefined
			: (JSON.parse(String(text)) as { data: IDataObject }).data;
	}

	private get isDurable(): boolean {
		return this.setting.scheduler === 'durable';
	}

	private load(): void {
		this.current = { ...this.stored };
	}

	private save(): void {
		this.stored = { ...this.current };
	}

	private emit(events: IDataObject[]): void {
		this.fresh.push(...events);
	}

	private async poll(staticData: IDataObject, mode = 'trigger'): Promise<IDataObject[]> {
		const { parameters, budgetMs } = this.setting;
		const context = {
			getMode: () => mode,
			getNode: () => ({ id: this.id, name: 'Trigger', parameters, credentials: {} }),
			getNodeParameter: (name: string, fallback?: unknown) => parameters[name] ?? fallback,
			getWorkflow: () => ({ id: 'workflow' }),
			getWorkflowStaticData: () => staticData,
			getCredentials: async () => this.setting.credentials,
			...(budgetMs === undefined ? {} : { getPollBudgetMs: () => budgetMs }),
			logger: { warn: (message: string) => this.warnings.push(message) },
			helpers: {
				httpRequestWithAuthentication: async (_type: string, options: IHttpRequestOptions) =>
					this.respond(options),
			},
		};
		const result = await this.node.poll!.call(context as unknown as IPollFunctions);
		const [items = []]: INodeExecutionData[][] = result ?? [];
		return items.map(({ json }) => json);
	}

	private respond({ url = '', qs = {} }: IHttpRequestOptions) {
		const { status = 200, body } = this.setting.answer(url, qs as IDataObject);
		return {
			statusCode: status,
			headers: { 'x-ratelimit-limit': '1000000', 'x-ratelimit-remaining': '999999' },
			body: JSON.stringify(body),
		};
	}
}

/** Lets hours pass, with a poll in each. @returns the events */
export async function hours(count: number, ...triggers: PollModel[]): Promise<IDataObject[]> {
	const events: IDataObject[] = [];
	for (let hour = 0; hour < count; hour++) {
		clock.now += HOUR;
		for (const trigger of triggers) {
			await trigger.tick();
			events.push(...trigger.take());
		}
	}
	return events;
}
