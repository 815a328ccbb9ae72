import { ServiceError } from '../../../nodes/shared/http/errors';
import { MOST_BYTES, SharedResponses } from '../../../nodes/shared/node/sharedResponses';

describe('identical requests of a run', () => {
	it('are sent once, also while the first is in flight, and give every item a copy', async () => {
		const responses = new SharedResponses();
		const send = jest.fn(async () => ({ tags: ['a'] }));
		const ask = async () => (await responses.get('key', send)) as { tags: string[] };
		const [first, second] = await Promise.all([ask(), ask(), ask()]);
		second.tags.push('changed');
		expect([first, await ask()]).toEqual([{ tags: ['a'] }, { tags: ['a'] }]);
		expect(send).toHaveBeenCalledTimes(1);
	});

	it('are sent once wherever the items stand, for as many as 20,000 companies', async () => {
		const responses = new SharedResponses();
		const send = jest.fn(async () => ({ name: 'Ă'.repeat(500), idno: '1'.repeat(13) }));
		for (const round of [1, 2]) {
			for (let key = 0; key < 20_000; key++) await responses.get(String(key), send);
			expect([round, send.mock.calls.length]).toEqual([round, 20_000]);
		}
	});

	it('are forgotten when the responses take too much memory, those that no item used first', async () => {
		const responses = new SharedResponses();
		const size = MOST_BYTES / 4;
		const send = jest.fn(async () => 'x'.repeat(size));
		for (const key of ['a', 'b', 'c', 'a', 'd']) await responses.get(key, send);
		expect(send).toHaveBeenCalledTimes(4);
		await responses.get('a', send);
		expect(send).toHaveBeenCalledTimes(4);
		await responses.get('b', send);
		expect(send).toHaveBeenCalledTimes(5);
	});

	it('are sent again for an item that needs a newer response, which later items then get', async () => {
		const responses = new SharedResponses();
		await responses.get('key', async () => 'old');
		expect(await responses.get('key', async () => 'new', true)).toBe('new');
		expect(await responses.get('key', async () => 'not asked')).toBe('new');
	});

	it('fail for every item that needs them', async () => {
		const responses = new SharedResponses();
		const send = jest.fn(async () => await Promise.reject(new Error('Broken')));
		await expect(responses.get('key', send)).rejects.toThrow('Broken');
		await expect(responses.get('key', send)).rejects.toThrow('Broken');
		expect(send).toHaveBeenCalledTimes(1);
	});

	it.each(['rate-limited', 'quota-exhausted'] as const)(
		'are sent again after a failure that passes: %s',
		async (cause) => {
			const responses = new SharedResponses();
			const limit = new ServiceError('Limit', { failure: { cause } });
			await expect(responses.get('key', async () => await Promise.reject(limit))).rejects.toBe(
				limit,
			);
			expect(await responses.get('key', async () => 'sent')).toBe('sent');
		},
	);

	it.each([[null], [5], ['text'], [true]])('may be answered by %j', async (answer) => {
		const responses = new SharedResponses();
		await responses.get('key', async () => answer);
		expect(await responses.get('key', async () => 'not asked')).toBe(answer);
	});
});
