import { fakeService, type FakeService } from '../../fakeService';

/** A message of OpenAI's chat completions; only what the tests read. */
export interface ChatMessage {
	role: string;
	content: string | null;
}

/** The model's next turn: a text, or tools to call with their arguments. */
type Reply = string | Array<{ tool: string; args: Record<string, unknown> }>;

/** A chat model with OpenAI's protocol that computes each turn from the conversation so far. */
export async function startChatModel(
	turns: Array<(messages: ChatMessage[]) => Reply>,
): Promise<FakeService> {
	return await fakeService(({ json, number }) => {
		const turn = turns[number - 1];
		if (!turn) return { status: 400, body: { error: { message: 'The script has ended' } } };
		const reply = turn((json as { messages: ChatMessage[] }).messages);
		const isText = typeof reply === 'string';
		const toolCalls = (isText ? [] : reply).map(({ tool, args }, index) => ({
			id: `call-${number}-${index}`,
			type: 'function',
			function: { name: tool, arguments: JSON.stringify(args) },
		}));
		const message = { role: 'assistant', content: isText ? reply : null };
		return {
			...{ id: `chatcmpl-${number}`, object: 'chat.completion', created: 0, model: 'scripted' },
			choices: [
				{
					index: 0,
					finish_reason: isText ? 'stop' : 'tool_calls',
					message: isText ? message : { ...message, tool_calls: toolCalls },
				},
			],
			usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
		};
	});
}
