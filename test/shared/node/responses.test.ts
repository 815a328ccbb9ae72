import { ServiceError } from '../../../nodes/shared/http/errors';
import { Responses } from '../../../nodes/shared/node/responses';

describe('Responses', () => {
	it('gives each caller an object of its own', async () => {
		const responses = new Responses();
		const send = jest.fn(async () => ({ rows: [{ id: 1 }] }));
		const [first, second] = await Promise.all([
			responses.get('list', send),
			responses.get('list', send),
		]);
		expect(second).toEqual(first);
		expect(second).not.toBe(first);
		expect(send).toHaveBeenCalledTimes(1);
	});

	it('sends a GET again if it must be fresh, and keeps the new response', async () => {
		const responses = new Responses();
		await responses.get('list', async () => 'old');
		expect(await responses.get('list', async () => 'new', true)).toBe('new');
		expect(await responses.get('list', async () => 'newest')).toBe('new');
	});

	it.each([
		['rateLimit', false, 'sent again'],
		['quota', false, 'sent again'],
		['server', false, 'failed'],
		['server', true, 'sent again'],
	] as const)(
		'after the failure "%s" (Retry On Fail: %j), an identical GET is %s',
		async (...row) => {
			const [kind, isRetried, outcome] = row;
			const responses = new Responses(isRetried);
			const error = new ServiceError('Failed', { kind });
			await expect(responses.get('list', async () => await Promise.reject(error))).rejects.toBe(
				error,
			);
			const again = responses.get('list', async () => 'sent again').catch(() => 'failed');
			expect(await again).toBe(outcome);
		},
	);

	it('starts over if the responses take too much memory', async () => {
		const responses = new Responses(false, 1_000);
		const send = jest.fn(async () => 'x'.repeat(100));
		const getAll = async () => {
			for (let each = 0; each < 5; each++) await responses.get(`${each}`, send);
		};
		await getAll();
		await getAll();
		expect(send).toHaveBeenCalledTimes(5);
		await responses.get('long', async () => 'x'.repeat(700));
		await getAll();
		await getAll();
		expect(send).toHaveBeenCalledTimes(10);
	});
});
