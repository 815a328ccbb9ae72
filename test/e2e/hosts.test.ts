import { OTHER_VERSIONS, until, type N8nApi, type WorkflowFile } from '../../tools/host';
import { startStage, type Stage } from './support/stage';
import {
	chain,
	companyRegistry,
	everySeconds,
	linkManagement,
	outputOf,
	passOn,
	START,
	startWith,
	trigger,
} from '../../tools/stage/workflows';

/** Other versions of n8n that the package is tested with, on demand, as each is installed first. */
describe.each(OTHER_VERSIONS)('Package in n8n %s', (version) => {
	let stage: Stage;

	beforeAll(async () => {
		stage = await startStage({ version });
	});

	afterAll(async () => await stage?.cleanup.run());

	it('runs an operation of each node', async () => {
		const { links, registry } = stage.credentials;
		const all = { resource: 'qrCode', operation: 'getAll', returnAll: true };
		const one = { resource: 'company', operation: 'get', idno: '1000600900002' };
		const nodes = [companyRegistry('Look up', registry, one), linkManagement('List', links, all)];
		const execution = await run(stage.api, chain('Run', [...startWith([{}]), ...nodes]));
		expect([execution.status, execution.error?.message]).toEqual(['success', undefined]);
		expect(outputOf(execution, 'Look up')).toMatchObject([{ json: { idno: one.idno } }]);
		// Several pages.
		expect(outputOf(execution, 'List')).toHaveLength(stage.sandbox.links.state.qrs.size);
	});

	it('starts a workflow with a trigger', async () => {
		const { api, credentials, sandbox } = stage;
		const files = trigger('fileCreated', credentials.links, everySeconds(2));
		const id = await create(api, chain('Watch', [files, passOn('Seen')]));
		await publish(api, id);
		await until('the first poll', () => sandbox.links.requests.length > 0);
		const file = sandbox.links.control.addFile({ name: 'news.pdf' });
		const [executionId = ''] = await until('an execution', async () => {
			const ids = await api.executionIds(id, { ended: true });
			return ids.length > 0 && ids;
		});
		const seen = outputOf(await api.execution(executionId), 'Seen');
		expect(seen.map(({ json }) => json.id)).toEqual([file.id]);
	});
});

/** Before n8n 2, a workflow file said whether the workflow is active. */
async function create(api: N8nApi, workflow: WorkflowFile): Promise<string> {
	const switchedOff: WorkflowFile & { active: boolean } = { ...workflow, active: false };
	return await api.createWorkflow(switchedOff);
}

/** Runs a workflow manually with the fields that old and new n8n expect, and waits for its end. */
async function run(api: N8nApi, workflow: WorkflowFile) {
	const id = await create(api, workflow);
	const { executionId } = await api.post<{ executionId: string }>(`/rest/workflows/${id}/run`, {
		triggerToStartFrom: { name: START },
		workflowData: await api.get<object>(`/rest/workflows/${id}`),
	});
	await api.waitForExecution(executionId);
	// Before n8n 2, an execution succeeds a moment before its data is stored.
	return await until('the data of the execution', async () => {
		const execution = await api.execution(executionId);
		return Object.keys(execution.runData).length > 0 && execution;
	});
}

/** Before n8n 2, a workflow was activated instead of published. */
async function publish(api: N8nApi, id: string): Promise<void> {
	const { versionId } = await api.get<{ versionId: string }>(`/rest/workflows/${id}`);
	try {
		await api.post(`/rest/workflows/${id}/activate`, { versionId });
	} catch (error) {
		if (!(error as Error).message.includes('404')) throw error;
		await api.patch(`/rest/workflows/${id}`, { versionId, active: true });
	}
}
