import { joinRun, MOST_RESPONSES, Run } from '../../../nodes/shared/node/run';

describe('the run of a node', () => {
	it('is shared by all its items', () => {
		const execution = {};
		const run = joinRun(execution, 0);
		expect(joinRun(execution, 1)).toBe(run);
		expect(joinRun({}, 0)).not.toBe(run);
	});

	it('is a new one with a clean state if an item arrives again', async () => {
		const execution = {};
		const first = joinRun(execution, 0);
		joinRun(execution, 1);
		await first.once('get', async () => 'old');
		first.stopped.abort();
		const second = joinRun(execution, 0);
		expect(joinRun(execution, 1)).toBe(second);
		expect(second.stopped.signal.aborted).toBe(false);
		expect(await second.once('get', async () => 'new')).toBe('new');
	});

	it('shows a hint once, even if many items give it', () => {
		const addExecutionHints = jest.fn();
		const run = new Run();
		run.hint({ addExecutionHints }, 'Two pages moved', 'info');
		run.hint({ addExecutionHints }, 'Two pages moved', 'info');
		run.hint({ addExecutionHints }, 'Quota is low', 'warning');
		expect(addExecutionHints.mock.calls).toEqual([
			[{ message: 'Two pages moved', type: 'info', location: 'outputPane' }],
			[{ message: 'Quota is low', type: 'warning', location: 'outputPane' }],
		]);
	});

	it.each([
		[[], []],
		[[4_000, 4_400], []],
		[[12_000, 7_000], ['Waited 12 s for the rate limit']],
	])('says how long it waited for the rate limit: %j', (waits, messages) => {
		const addExecutionHints = jest.fn();
		const run = new Run();
		for (const ms of waits) run.noteWait(ms);
		run.hintAtWait({ addExecutionHints });
		expect(addExecutionHints.mock.calls.map(([{ message }]) => message)).toEqual(messages);
	});

	it('drops hints if n8n can’t show them', () => {
		expect(() => new Run().hint({}, 'Two pages moved', 'info')).not.toThrow();
	});

	it('cancels with the execution and with the run', () => {
		const cancel = new AbortController();
		const run = new Run();
		const [one, other] = [run.signal(cancel.signal), run.signal(undefined)];
		cancel.abort();
		expect(one.aborted).toBe(true);
		expect(other.aborted).toBe(false);
		run.stopped.abort();
		expect(other.aborted).toBe(true);
	});
});

describe('identical requests of a run', () => {
	it('are remembered up to a number, regardless of the number of items', async () => {
		const run = new Run();
		const send = jest.fn(async () => ({ rows: [] }));
		const count = 3 * MOST_RESPONSES;
		for (let key = 0; key < count; key++) await run.once(String(key), send);
		for (let key = count - MOST_RESPONSES; key < count; key++) await run.once(String(key), send);
		expect(send).toHaveBeenCalledTimes(count);
		await run.once('0', send);
		expect(send).toHaveBeenCalledTimes(count + 1);
	});

	it('are sent once, also while the first is in flight, and give every item a copy', async () => {
		const run = new Run();
		const send = jest.fn(async () => ({ tags: ['a'] }));
		const ask = async () => (await run.once('key', send)) as { tags: string[] };
		const [first, second] = await Promise.all([ask(), ask(), ask()]);
		second.tags.push('changed');
		expect([first, await ask()]).toEqual([{ tags: ['a'] }, { tags: ['a'] }]);
		expect(send).toHaveBeenCalledTimes(1);
	});

	it('fail for every item that needs them', async () => {
		const run = new Run();
		const send = jest.fn(async () => await Promise.reject(new Error('Broken')));
		await expect(run.once('key', send)).rejects.toThrow('Broken');
		await expect(run.once('key', send)).rejects.toThrow('Broken');
		expect(send).toHaveBeenCalledTimes(1);
	});

	it.each([[null], [5], ['text'], [true]])('may be answered by %j', async (answer) => {
		const run = new Run();
		await run.once('key', async () => answer);
		expect(await run.once('key', async () => 'not asked')).toBe(answer);
	});
});
