import { AsyncLocalStorage } from 'node:async_hooks';
import { DirectoryLoader, PollContext, PollTriggerExecutor, TriggersAndPollers } from 'n8n-core';
import type {
	ICredentialDataDecryptedObject,
	IDataObject,
	INode,
	INodeExecutionData,
	INodeParameters,
	INodeType,
	NodeApiError,
} from 'n8n-workflow';
import { Workflow } from 'n8n-workflow';
import { CompanyRegistryTrigger } from '../../nodes/CompanyRegistry/CompanyRegistryTrigger.node';
import { LinkManagementTrigger } from '../../nodes/LinkManagement/LinkManagementTrigger.node';
import { forgetEverything } from '../../nodes/shared/http/processMap';
import { additionalData, node, nodeClasses, nodeTypes, PACKAGE } from './engine';

interface Loader {
	applySpecialNodeParameters(nodeType: INodeType): void;
}

const triggers = [new LinkManagementTrigger(), new CompanyRegistryTrigger()];
for (const trigger of triggers) {
	// As n8n does when it loads a polling node.
	(DirectoryLoader.prototype as unknown as Loader).applySpecialNodeParameters(trigger);
	nodeClasses[`${PACKAGE}.${trigger.description.name}`] = trigger;
}

/** The trigger that has an event. */
function typeOf(event: unknown): string {
	const has = ({ description }: INodeType) =>
		description.properties.some(
			({ name, options = [] }) =>
				name === 'event' && options.some((option) => 'value' in option && option.value === event),
		);
	return `${PACKAGE}.${(triggers.find(has) ?? triggers[0]!).description.name}`;
}

/**
 * The static data of the durable scheduler's current poll. A single one, because before Node.js 24
 * each of them stays in use for ever and slows down every promise of the process.
 */
const staged = new AsyncLocalStorage<{ copy: IDataObject; seed: string }>();

type Arguments<T> = T extends new (...args: infer A) => unknown ? A : never;
type ExecutorArguments = Arguments<typeof PollTriggerExecutor>;

/** Which of n8n's schedulers runs the polls. */
export type Scheduler = 'classic' | 'durable';

export interface TriggerSetting {
	parameters: INodeParameters;
	credentials: Record<string, ICredentialDataDecryptedObject>;
	scheduler: Scheduler;
	/** What `getPollBudgetMs` returns; default: n8n's own value. */
	budgetMs?: number;
	/** An n8n older than 2.38, which does not have `getPollBudgetMs`. */
	old?: boolean;
	/** The ID and name of the node, and its workflow's ID. By default, each trigger has a workflow of its own. */
	identity?: { id: string; name: string; workflow: string };
}

let hosts = 0;

/**
 * An n8n with one active workflow that starts with the trigger. It runs n8n-core's
 * PollTriggerExecutor with what the server's `trigger-execution-context.factory` gives it for each
 * scheduler.
 */
export class TriggerHost {
	/** The contents of the database: the workflow's static data, and the poll cursor. */
	readonly database: { staticData?: string; cursor?: string } = {};
	/** The items that each execution started with. */
	readonly executions: INodeExecutionData[][] = [];
	readonly errors: NodeApiError[] = [];
	readonly warnings: string[] = [];
	private workflow!: Workflow;
	private readonly node: INode;
	private poll!: (activating?: boolean) => Promise<void>;
	private executions0 = 0;
	private readonly workflowId = `trigger-test-${++hosts}`;

	constructor(readonly setting: TriggerSetting) {
		this.node = {
			...node('Trigger', typeOf(setting.parameters.event), {
				pollTimes: { item: [{ mode: 'everyMinute' }] },
				...setting.parameters,
			}),
			...setting.identity,
			credentials: Object.fromEntries(
				Object.keys(setting.credentials).map((type) => [type, { id: type, name: type }]),
			),
		};
		this.load();
	}

	/** Publishes the workflow: polls once, and stores the static data. Throws what the poll threw. */
	async activate(): Promise<void> {
		this.load();
		await this.poll(true);
		this.saveStaticData();
	}

	/** Polls on schedule. An error becomes a failed execution. */
	async tick(): Promise<void> {
		await this.poll();
	}

	/** Restarts n8n. The in-memory scheduler then activates the workflow; the durable one doesn't. */
	async restart(): Promise<void> {
		forgetEverything();
		if (this.setting.scheduler === 'classic') await this.activate();
		else this.load();
	}

	/** Fetches a test event, as the editor does. */
	async fetchTestEvent(): Promise<INodeExecutionData[] | undefined> {
		const workflow = this.loaded();
		const context = this.context(workflow, 'manual', () => {});
		await workflow.expression.acquireIsolate();
		try {
			const result = await new TriggersAndPollers().runPollFunction(workflow, this.node, context);
			return result?.[0];
		} finally {
			await workflow.expression.releaseIsolate();
		}
	}

	/** Changes parameters, like an edit that hasn't been published yet. */
	edit(parameters: INodeParameters): void {
		this.node.parameters = { ...this.node.parameters, ...parameters };
	}

	/** The `json` of the items emitted after the last call. */
	take(): IDataObject[] {
		const fresh = this.executions.slice(this.executions0);
		this.executions0 = this.executions.length;
		return fresh.flat().map(({ json }) => json);
	}

	/** The trigger's stored state, as text. */
	get state(): string | undefined {
		const { staticData, cursor } = this.database;
		if (cursor !== undefined) return (JSON.parse(cursor) as { state?: string }).state;
		const all = JSON.parse(staticData ?? '{}') as Record<string, { state?: string }>;
		return all['node:Trigger']?.state;
	}

	set state(text: string | undefined) {
		if (this.setting.scheduler === 'durable')
			this.database.cursor = JSON.stringify({ state: text });
		else this.database.staticData = JSON.stringify({ 'node:Trigger': { state: text } });
	}

	private load(): void {
		this.workflow = this.loaded();
		const context = this.context(this.workflow, 'trigger', (items) => this.executions.push(items));
		const log = { scoped: () => log, debug() {}, error() {} };
		const tracing = {
			startSpan: async (_: unknown, run: (span: unknown) => unknown) =>
				await run({ setStatus() {} }),
			startNewTraceSpan: async (_: unknown, run: (span: unknown) => unknown) =>
				await run({ setStatus() {} }),
			pickWorkflowAttributes: () => ({}),
			pickNodeAttributes: () => ({}),
		};
		const executor = new PollTriggerExecutor(
			log as unknown as ExecutorArguments[0],
			new TriggersAndPollers(),
			tracing as unknown as ExecutorArguments[2],
			{ error() {} } as unknown as ExecutorArguments[3],
		);
		this.poll = executor.create(this.workflow, this.node, context, () => true);
	}

	private loaded(): Workflow {
		return new Workflow({
			id: this.setting.identity?.workflow ?? this.workflowId,
			name: 'Trigger test',
			nodes: [this.node],
			connections: {},
			active: true,
			nodeTypes,
			staticData: JSON.parse(this.database.staticData ?? '{}') as IDataObject,
			settings: {},
		});
	}

	private saveStaticData(): void {
		this.database.staticData = JSON.stringify(this.workflow.staticData);
	}

	private context(
		workflow: Workflow,
		mode: 'trigger' | 'manual',
		start: (items: INodeExecutionData[]) => void,
	): PollContext {
		const { scheduler, credentials, budgetMs, old } = this.setting;
		const commit = () => {
			const store = staged.getStore();
			if (store && JSON.stringify(store.copy) !== store.seed) {
				this.database.cursor = JSON.stringify(store.copy);
			}
		};
		const durable = scheduler === 'durable';
		const context = new PollContext(
			workflow,
			this.node,
			additionalData(credentials),
			mode,
			'activate',
			([items = []]) => {
				if (durable) commit();
				else this.saveStaticData();
				start(items);
			},
			(error) => this.errors.push(error as NodeApiError),
			async () => {
				if (durable) commit();
			},
			async (poll) => {
				const seed = this.database.cursor ?? '{}';
				return await staged.run({ copy: JSON.parse(seed) as IDataObject, seed }, poll);
			},
			() => {
				const store = durable ? staged.getStore() : undefined;
				return store ? store.copy : workflow.getStaticData('node', this.node);
			},
			budgetMs === undefined ? undefined : () => budgetMs,
		);
		if (old) Object.defineProperty(context, 'getPollBudgetMs', { value: undefined });
		const warn = (message: string) => this.warnings.push(message);
		Object.defineProperty(context, 'logger', { value: { warn, info() {}, debug() {} } });
		return context;
	}
}
