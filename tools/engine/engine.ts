import './environment';

import {
	BinaryDataService,
	DirectoryLoader,
	ExecutionLifecycleHooks,
	RoutingNode,
	WorkflowExecute,
} from 'n8n-core';
import type { ExecuteContext } from 'n8n-core';
import type {
	IConnections,
	ICredentialDataDecryptedObject,
	ICredentialType,
	IDataObject,
	IHttpRequestOptions,
	INode,
	INodeExecutionData,
	INodeParameters,
	INodeType,
	INodeTypes,
	IRun,
	IWorkflowExecuteAdditionalData,
	IWorkflowSettings,
	NodeApiError,
} from 'n8n-workflow';
import { createRunExecutionData, NodeHelpers, Workflow } from 'n8n-workflow';

import { CompanyRegistryApi } from '../../credentials/CompanyRegistryApi.credentials';
import { LinkManagementApi } from '../../credentials/LinkManagementApi.credentials';
import { CompanyRegistry } from '../../nodes/CompanyRegistry/CompanyRegistry.node';
import { LinkManagement } from '../../nodes/LinkManagement/LinkManagement.node';

export const PACKAGE = 'n8n-nodes-link-company';

/** The nodes that workflows can use, by type. Callers may add more. */
export const nodeClasses: Record<string, INodeType> = {
	[`${PACKAGE}.companyRegistry`]: asLoaded(new CompanyRegistry()),
	[`${PACKAGE}.linkManagement`]: asLoaded(new LinkManagement()),
	'test.items': itemSource(),
};

const credentialClasses: Record<string, ICredentialType> = {
	companyRegistryApi: new CompanyRegistryApi(),
	linkManagementApi: new LinkManagementApi(),
};

/**
 * Prepares a declarative node as n8n does when it loads it: adds "Request Options" and an `execute`
 * that uses routing. Without that, the engine wouldn't pass its cancel signal.
 */
function asLoaded(nodeType: INodeType): INodeType {
	DirectoryLoader.applyDeclarativeNodeOptionParameters(nodeType);
	if (nodeType.description.requestDefaults !== undefined) {
		nodeType.execute = async function () {
			return (await new RoutingNode(this as ExecuteContext, nodeType).runNode()) ?? [];
		};
	}
	return nodeType;
}

/** A node that outputs the items of a run. */
function itemSource(): INodeType {
	return {
		description: {
			displayName: 'Items',
			name: 'items',
			group: ['trigger'],
			version: 1,
			description: '',
			defaults: { name: 'Items' },
			inputs: [],
			outputs: ['main'],
			properties: [],
		},
		async execute() {
			return [currentItems.get(this.getNode().id) ?? []];
		},
	};
}

const currentItems = new Map<string, INodeExecutionData[]>();

export const nodeTypes: INodeTypes = {
	getByName: (name) => nodeClasses[name]!,
	getByNameAndVersion: (name) => NodeHelpers.getVersionedNodeType(nodeClasses[name]!),
	getKnownTypes: () => ({}),
};

const routedNodeTypes: INodeTypes = {
	...nodeTypes,
	getByNameAndVersion: (name) =>
		Object.create(nodeTypes.getByNameAndVersion(name), {
			customOperations: { value: undefined },
		}) as INodeType,
};

/** Nodes as n8n executes their declarations, without any code of theirs. */
const declaredNodeTypes: INodeTypes = {
	...routedNodeTypes,
	getByNameAndVersion(name) {
		const type = routedNodeTypes.getByNameAndVersion(name);
		const properties = type.description.properties.map((property) => ({
			...property,
			routing: property.name === 'resource' ? undefined : property.routing,
		}));
		const description = { ...type.description, properties };
		return Object.create(type, { description: { value: description } }) as INodeType;
	},
};

export interface NodeRun {
	/** e.g. `linkManagement`. */
	type: string;
	parameters: INodeParameters;
	/** By credential type. */
	credentials?: Credentials;
	/** Default: one empty item. */
	items?: INodeExecutionData[];
	/** Settings of the node itself, such as `onError` or `retryOnFail`. */
	settings?: Partial<INode>;
	workflowSettings?: IWorkflowSettings;
	/** Cancels the execution when it is aborted. */
	cancel?: AbortSignal;
	/** Uses n8n's routing, as a tool of an agent does. */
	routed?: boolean;
	/** Uses n8n's routing, and nothing of the node but its description. */
	declared?: boolean;
}

/** Credentials by type. A credential with expressions is a function of the item's index. */
type Credentials = Record<
	string,
	ICredentialDataDecryptedObject | ((itemIndex: number) => ICredentialDataDecryptedObject)
>;

export interface NodeOutcome {
	/** Items of the main output. */
	items: INodeExecutionData[];
	/** Items of the error output, with `onError: 'continueErrorOutput'`. */
	errorItems: INodeExecutionData[];
	/** The error of the node. */
	error?: NodeApiError;
	run: IRun;
}

/** Runs a single node through n8n's engine. */
export async function runNode(spec: NodeRun): Promise<NodeOutcome> {
	const source: INode = node('Source', 'test.items', {});
	const subject: INode = {
		...node('Subject', `${PACKAGE}.${spec.type}`, spec.parameters),
		...spec.settings,
		credentials: Object.fromEntries(
			Object.keys(spec.credentials ?? {}).map((type) => [type, { id: type, name: type }]),
		),
	};
	const connections: IConnections = {
		Source: { main: [[{ node: 'Subject', type: 'main', index: 0 }]] },
	};
	const workflow = new Workflow({
		id: 'engine-test',
		nodes: [source, subject],
		connections,
		active: false,
		nodeTypes: spec.declared ? declaredNodeTypes : spec.routed ? routedNodeTypes : nodeTypes,
		settings: spec.workflowSettings ?? {},
	});
	currentItems.set(source.id, spec.items ?? [{ json: {} }]);
	await workflow.expression.acquireIsolate();
	try {
		const execution = new WorkflowExecute(
			additionalData(spec.credentials ?? {}),
			'manual',
			createRunExecutionData({}),
		);
		const running = execution.run({ workflow, startNode: source });
		spec.cancel?.addEventListener('abort', () => running.cancel());
		const run = await running;
		const data = run.data.resultData.runData.Subject?.at(-1);
		return {
			items: data?.data?.main?.[0] ?? [],
			errorItems: data?.data?.main?.[1] ?? [],
			error: (data?.error ?? run.data.resultData.error) as NodeApiError | undefined,
			run,
		};
	} finally {
		currentItems.delete(source.id);
		await workflow.expression.releaseIsolate();
	}
}

let nodeCount = 0;

export function node(name: string, type: string, parameters: INodeParameters): INode {
	return {
		id: `node-${++nodeCount}`,
		name,
		type,
		typeVersion: 1,
		position: [0, 0],
		parameters,
	};
}

export function additionalData(credentials: Credentials): IWorkflowExecuteAdditionalData {
	const hooks = new ExecutionLifecycleHooks('manual', 'execution', {
		id: 'engine-test',
		name: 'engine test',
		active: false,
		activeVersionId: null,
		isArchived: false,
		createdAt: new Date(0),
		updatedAt: new Date(0),
		nodes: [],
		connections: {},
	});
	return {
		hooks,
		executionId: 'execution',
		variables: {},
		restApiUrl: '',
		instanceBaseUrl: '',
		webhookBaseUrl: '',
		webhookWaitingBaseUrl: 'http://localhost/webhook-waiting',
		webhookTestBaseUrl: '',
		formWaitingBaseUrl: 'http://localhost/form-waiting',
		currentNodeParameters: undefined,
		credentialsHelper: credentialsHelper(credentials),
		setExecutionStatus: () => {},
		sendDataToUI: () => {},
	} as unknown as IWorkflowExecuteAdditionalData;
}

/** Provides the credentials of a run and applies the credential types' `authenticate`. */
function credentialsHelper(credentials: Credentials) {
	return {
		getParentTypes: () => [],
		getDecrypted: async (
			_additional: unknown,
			_node: unknown,
			type: string,
			_mode: unknown,
			_executeData: unknown,
			_raw: unknown,
			resolveWith?: { itemIndex: number },
		) => {
			const credential = credentials[type];
			return {
				...(typeof credential === 'function'
					? credential(resolveWith?.itemIndex ?? 0)
					: credential),
			};
		},
		preAuthentication: async () => undefined,
		authenticate: async (
			data: ICredentialDataDecryptedObject,
			type: string,
			options: IHttpRequestOptions,
		) => {
			const { authenticate } = credentialClasses[type]!;
			if (typeof authenticate !== 'function') throw new Error(`${type} has no authenticate()`);
			return await authenticate(data, options);
		},
		getCredentialsProperties: () => [],
		isCredentialUsableByNode: () => true,
	};
}

/** Keeps binary data in files, as n8n does by default. Returns the service to store with. */
export async function binaryDataOnDisk(): Promise<BinaryDataService> {
	const service = container().get(BinaryDataService);
	await service.init();
	return service;
}

/**
 * The container of n8n-core, which has its own version of `@n8n/di`. In tests, both bypass Jest's
 * module registry (test/environment).
 */
function container() {
	const { requireShared = require } = globalThis as { requireShared?: NodeJS.Require };
	const { createRequire } = requireShared('node:module') as typeof import('node:module');
	const { Container } = createRequire(requireShared.resolve('n8n-core'))('@n8n/di') as {
		Container: { get<T>(type: new (...args: never[]) => T): T };
	};
	return Container;
}

/** The `json` of items. */
export function jsonOf(items: INodeExecutionData[]): IDataObject[] {
	return items.map(({ json }) => json);
}

/** A resource locator's value, as the editor stores it. */
export function byId(value: string | number) {
	return { __rl: true, mode: 'id', value: String(value) };
}
