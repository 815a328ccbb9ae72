import { startJsonServer, type JsonServer } from './jsonServer';

/** A message of OpenAI's chat completions; only what the tests look at. */
export interface ChatMessage {
	role: string;
	content: string | null;
	tool_call_id?: string;
}

/** What the model says next: words, or tools to be called, each with its arguments. */
export type Reply = string | Array<{ tool: string; args: Record<string, unknown> }>;

interface Completion {
	messages: ChatMessage[];
	tools?: Array<{ function: { name: string; description: string; parameters: unknown } }>;
}

export interface ChatModel extends JsonServer {
	/** What the agent asked, oldest first. */
	asked: Completion[];
	/** Sets what the model says, turn by turn, each from the conversation so far. */
	script(turns: Array<(messages: ChatMessage[]) => Reply>): void;
}

/** A chat model that speaks OpenAI's protocol and says what a test has written for it. */
export async function startChatModel(): Promise<ChatModel> {
	const asked: Completion[] = [];
	let turns: Array<(messages: ChatMessage[]) => Reply> = [];
	const server = await startJsonServer((app) => {
		app.post('/v1/chat/completions', (req, res) => {
			const completion = req.body as Completion;
			asked.push(completion);
			const turn = turns.shift();
			if (!turn) return void res.status(400).json({ error: { message: 'The script has ended' } });
			res.json(answer(asked.length, turn(completion.messages)));
		});
	});
	return {
		...server,
		asked,
		script(next) {
			turns = [...next];
		},
	};
}

function answer(number: number, reply: Reply): object {
	const isText = typeof reply === 'string';
	return {
		id: `chatcmpl-${number}`,
		object: 'chat.completion',
		created: 0,
		model: 'scripted',
		choices: [
			{
				index: 0,
				finish_reason: isText ? 'stop' : 'tool_calls',
				message: {
					role: 'assistant',
					content: isText ? reply : null,
					...(!isText && {
						tool_calls: reply.map(({ tool, args }, index) => ({
							id: `call-${number}-${index}`,
							type: 'function',
							function: { name: tool, arguments: JSON.stringify(args) },
						})),
					}),
				},
			},
		],
		usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
	};
}
