import { OLDER_VERSIONS, until, type N8nApi, type WorkflowFile } from '../../tools/host';
import { startStage, type Stage } from './support/stage';
import {
	chain,
	companyRegistry,
	everySeconds,
	linkCompanyTrigger,
	linkManagement,
	outputOf,
	passOn,
	START,
	startWith,
} from './support/workflows';

/** Each older n8n has to be installed first, so they are included on request only. */
const VERSIONS = [undefined, ...(process.env.E2E_OLDER_HOSTS ? OLDER_VERSIONS : [])];

const IDNO = '1000600900002';

describe.each(VERSIONS.map((version) => ({ version, title: version ?? 'the pinned version' })))(
	'the package in n8n, $title',
	({ version }) => {
		let stage: Stage;

		beforeAll(async () => {
			stage = await startStage({ version });
		});

		afterAll(async () => await stage?.cleanup.run());

		it('is loaded', async () => {
			const nodes = (await stage.api.nodeTypes()).map(({ name }) => name);
			const credentials = (await stage.api.credentialTypes()).map(({ name }) => name);
			expect(nodes).toEqual(
				expect.arrayContaining(
					['linkManagement', 'companyRegistry', 'linkCompanyTrigger'].map(
						(name) => `${stage.manifest.name}.${name}`,
					),
				),
			);
			expect(credentials).toEqual(
				expect.arrayContaining(['linkManagementApi', 'companyRegistryApi']),
			);
		});

		it('runs an operation of Link Management, over several pages', async () => {
			const { links } = stage.sandbox;
			const operation = linkManagement('List', stage.credentials.links, {
				resource: 'qrCode',
				operation: 'getAll',
				returnAll: true,
			});
			const execution = await run(stage.api, chain('List', [...startWith([{}]), operation]));
			expect([execution.status, execution.error?.message]).toEqual(['success', undefined]);
			expect(outputOf(execution, 'List')).toHaveLength(links.state.qrs.size);
		});

		it('runs an operation of Company Registry', async () => {
			const operation = companyRegistry('Look up', stage.credentials.registry, {
				resource: 'company',
				operation: 'get',
				idno: '={{ $json.idno }}',
			});
			const rows = startWith([{ idno: IDNO }]);
			const execution = await run(stage.api, chain('Look up', [...rows, operation]));
			expect([execution.status, execution.error?.message]).toEqual(['success', undefined]);
			expect(outputOf(execution, 'Look up')).toMatchObject([{ json: { idno: IDNO } }]);
		});

		it('starts a workflow by Link & Company Trigger', async () => {
			const { api, credentials, sandbox } = stage;
			const trigger = linkCompanyTrigger('Trigger', credentials.links, everySeconds(2), {
				event: 'fileCreated',
			});
			const id = await create(api, chain('Watch', [trigger, passOn('Seen')]));
			await publish(api, id);
			const polls = () => sandbox.links.requests.filter(({ path }) => path === '/api/files').length;
			await until('the first poll', () => polls() > 0);
			const file = sandbox.links.control.addFile({ name: 'news.pdf' });
			const [executionId] = await until('an execution', async () => {
				const ids = await api.executionIds(id, { ended: true });
				return ids.length > 0 && ids;
			});
			const execution = await api.execution(executionId ?? '');
			expect(outputOf(execution, 'Seen').map(({ json }) => json.id)).toEqual([file.id]);
		});
	},
);

/** Before n8n 2, a workflow said whether it is switched on. */
async function create(api: N8nApi, workflow: WorkflowFile): Promise<string> {
	const switchedOff: WorkflowFile & { active: boolean } = { ...workflow, active: false };
	return await api.createWorkflow(switchedOff);
}

/** Starts a workflow by hand in the words of old and new n8n, and waits for its end. */
async function run(api: N8nApi, workflow: WorkflowFile) {
	const id = await create(api, workflow);
	const { executionId } = await api.post<{ executionId: string }>(`/rest/workflows/${id}/run`, {
		triggerToStartFrom: { name: START },
		workflowData: await api.get<object>(`/rest/workflows/${id}`),
	});
	await api.waitForExecution(executionId);
	// Before n8n 2, an execution has succeeded a moment before its data are stored.
	return await until('the data of the execution', async () => {
		const execution = await api.execution(executionId);
		return Object.keys(execution.runData).length > 0 && execution;
	});
}

/** Before n8n 2, a workflow was not published but switched on. */
async function publish(api: N8nApi, id: string): Promise<void> {
	const { versionId } = await api.get<{ versionId: string }>(`/rest/workflows/${id}`);
	try {
		await api.post(`/rest/workflows/${id}/activate`, { versionId });
	} catch (error) {
		if (!(error as Error).message.includes('404')) throw error;
		await api.patch(`/rest/workflows/${id}`, { versionId, active: true });
	}
}
