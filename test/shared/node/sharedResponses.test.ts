import { ServiceError } from '../../../nodes/shared/http/errors';
import { MAX_BYTES, SharedResponses } from '../../../nodes/shared/node/sharedResponses';

describe('SharedResponses', () => {
	it('sends identical requests once, even in parallel, and gives each item a copy of the response', async () => {
		const responses = new SharedResponses();
		const send = jest.fn(async () => ({ tags: ['a'] }));
		const ask = async () => (await responses.get('key', send)) as { tags: string[] };
		const [first, second] = await Promise.all([ask(), ask(), ask()]);
		second.tags.push('changed');
		expect([first, await ask()]).toEqual([{ tags: ['a'] }, { tags: ['a'] }]);
		expect(send).toHaveBeenCalledTimes(1);
	});

	it('sends one request per response for 20 MB of responses, wherever their items are in the list', async () => {
		const responses = new SharedResponses();
		const send = jest.fn(async () => ({ name: 'Ă'.repeat(5_000) }));
		for (const round of [1, 2]) {
			for (let key = 0; key < 2_000; key++) await responses.get(String(key), send);
			expect([round, send.mock.calls.length]).toEqual([round, 2_000]);
		}
	});

	it('drops responses that no item has reused first if they take up too much memory', async () => {
		const responses = new SharedResponses();
		const size = MAX_BYTES / 4;
		const send = jest.fn(async () => 'x'.repeat(size));
		for (const key of ['a', 'b', 'c', 'a', 'd']) await responses.get(key, send);
		expect(send).toHaveBeenCalledTimes(4);
		await responses.get('a', send);
		expect(send).toHaveBeenCalledTimes(4);
		await responses.get('b', send);
		expect(send).toHaveBeenCalledTimes(5);
	});

	it('sends a request again for an item that needs a newer response, and gives that to later items', async () => {
		const responses = new SharedResponses();
		await responses.get('key', async () => 'old');
		expect(await responses.get('key', async () => 'new', true)).toBe('new');
		expect(await responses.get('key', async () => 'not asked')).toBe('new');
	});

	it('fails all items with the same request after sending it once', async () => {
		const responses = new SharedResponses();
		const send = jest.fn(async () => await Promise.reject(new Error('Broken')));
		await expect(responses.get('key', send)).rejects.toThrow('Broken');
		await expect(responses.get('key', send)).rejects.toThrow('Broken');
		expect(send).toHaveBeenCalledTimes(1);
	});

	it.each(['rate-limited', 'quota-exhausted'] as const)(
		'sends a request again after the failure "%s", which is temporary',
		async (cause) => {
			const responses = new SharedResponses();
			const limit = new ServiceError('Limit', { failure: { cause } });
			await expect(responses.get('key', async () => await Promise.reject(limit))).rejects.toBe(
				limit,
			);
			expect(await responses.get('key', async () => 'sent')).toBe('sent');
		},
	);

	it.each([[null], [5], ['text'], [true]])('reuses the response %j', async (answer) => {
		const responses = new SharedResponses();
		await responses.get('key', async () => answer);
		expect(await responses.get('key', async () => 'not asked')).toBe(answer);
	});
});
