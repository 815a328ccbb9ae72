import { randomUUID } from 'node:crypto';
import { triggerOf } from '../../../../tools/examples';
import type { ChatMessage } from '../chatModel';
import type { ExampleCase } from '../exampleScene';
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

	const id = await scene.import('ai-agent');
	const { executionId } = await stage.api.post<{ executionId: string }>(
		`/rest/workflows/${id}/run`,
		{ triggerToStartFrom: { name: triggerOf(scene.example('ai-agent')), data: message(QUESTION) } },
	);
	const outputs = outputsOf(await stage.api.waitForExecution(executionId));

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
