import { randomUUID } from 'node:crypto';
import { triggerOf } from '../../../../tools/examples';
import type { ChatMessage } from '../chatModel';
import type { ExampleCase, ExampleScene } from '../exampleScene';
import { outputsOf } from '../exampleScene';

const WINERY = '1000600900002';
const QUESTION = 'May I deliver to Ruscăteza Vin on account? If so, create a campaign for them.';

export const aiAgent: ExampleCase = async (scene) => {
	const { chatModel, stage } = scene;
	const { links, registry } = stage.sandbox;
	const company = registry.v1.state.get(WINERY);
	const newest = () => links.state.campaigns.slice('newest-first', 0, 1)[0];
	const before = newest()?.id ?? 0;
	chatModel.script([
		() => [{ tool: 'Find_companies', args: { query: 'Ruscăteza Vin' } }],
		(messages) => [
			{ tool: 'Get_a_credit_recommendation', args: { idno: /\d{13}/.exec(told(messages))?.[0] } },
			{ tool: 'Create_a_campaign', args: { name: 'Ruscăteza Vin' } },
		],
		(messages) => `The tools say: ${told(messages)}`,
	]);

	await scene.import('ai-agent');
	const outputs = outputsOf(await ask(scene, 'ai-agent', QUESTION));

	const [answer] = outputs('AI Agent').map(({ output }) => String(output));
	expect(answer).toContain(WINERY);
	expect(answer).toContain(`"rating":"${company?.rating}"`);
	expect(newest()).toMatchObject({ id: before + 1, name: 'Ruscăteza Vin' });
	expect(answer).toContain(`"id":${before + 1}`);
	expect(registry.v1.requests.map(({ path, query }) => [path, query.q])).toEqual([
		['/api/v1/search', 'Ruscăteza Vin'],
		[`/api/v1/credit/${WINERY}`, undefined],
	]);
	const [asked] = chatModel.asked;
	expect(asked?.messages.at(-1)?.content).toBe(QUESTION);
	expect(asked?.tools?.map((tool) => tool.function.name).sort()).toEqual([
		'Create_a_campaign',
		'Find_companies',
		'Get_a_credit_recommendation',
		'List_the_QR_codes',
	]);
	const search = asked?.tools?.find((tool) => tool.function.name === 'Find_companies');
	expect(search?.function.parameters).toMatchObject({
		properties: { query: { type: 'string' } },
		required: ['query'],
	});
};

/** What the trade check keeps for other workflows, and what a question costs. */
const KEPT = 20;
const STEPS = 3;

export const tradeCheckAgent: ExampleCase = async (scene) => {
	const { chatModel, stage } = scene;
	const { v1 } = stage.sandbox.registry;
	const company = v1.state.get(WINERY);
	v1.configure({ dailyQuota: { limit: KEPT + STEPS - 1 } });
	const idno = (messages: ChatMessage[]) => /\d{13}/.exec(told(messages))?.[0];
	chatModel.script([
		() => [{ tool: 'Find_companies', args: { query: 'Ruscăteza Vin' } }],
		(messages) => [{ tool: 'Get_the_dossier', args: { idno: idno(messages) } }],
		(messages) => [{ tool: 'Get_the_credit_recommendation', args: { idno: idno(messages) } }],
		(messages) => `The tools say: ${told(messages)}`,
	]);
	await scene.import('trade-check-agent');

	const answer = outputsOf(await ask(scene, 'trade-check-agent', 'Is Ruscăteza Vin safe?'));
	const [{ output } = {}] = answer('Answer the question');
	expect(output).toContain(`"recommended_limit_mdl":${company?.limit}`);
	// Simplified records: counted lists instead of nested ones.
	expect(output).toContain('"administrators_count":1');
	expect(output).not.toContain('"scoring":');
	expect(v1.requests.map(({ path }) => path)).toEqual([
		'/api/v1/status',
		'/api/v1/search',
		`/api/v1/company/${WINERY}`,
		`/api/v1/credit/${WINERY}`,
	]);

	const late = outputsOf(await ask(scene, 'trade-check-agent', 'And now?'));
	expect(late('Say that it must wait')).toHaveLength(1);
	expect(late('Answer the question')).toEqual([]);
	expect(v1.requests.filter(({ path }) => path !== '/api/v1/status')).toHaveLength(STEPS);
};

/** Sends a message to an imported workflow's chat, and waits for the end. */
async function ask(scene: ExampleScene, name: string, question: string) {
	const { api } = scene.stage;
	const { executionId } = await api.post<{ executionId: string }>(`/rest/workflows/${name}/run`, {
		triggerToStartFrom: { name: triggerOf(scene.example(name)), data: message(question) },
	});
	return await api.waitForExecution(executionId);
}

/** What the tools have answered so far. */
function told(messages: ChatMessage[]): string {
	return messages
		.filter(({ role }) => role === 'tool')
		.map(({ content }) => content)
		.join('\n');
}

/** What the editor's chat hands the trigger. */
function message(chatInput: string): object {
	const json = { sessionId: randomUUID(), action: 'sendMessage', chatInput };
	return {
		startTime: Date.now(),
		executionTime: 0,
		executionIndex: 0,
		executionStatus: 'success',
		source: [null],
		data: { main: [[{ json }]] },
	};
}
