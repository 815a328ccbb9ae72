import { ServiceError } from '../../../nodes/shared/http/errors';
import { triesOf, writeOnce } from '../../../nodes/shared/node/writeLog';

describe('Writes of an item', () => {
	const execution = {};
	const input = {};
	const log = (operation = '0 campaign.create', json: object = input, data: object = execution) => {
		const tries = triesOf(data, json, operation);
		let writes = 0;
		return { once: async (send: () => Promise<unknown>) => await writeOnce(tries, writes++, send) };
	};
	const sending = (response: unknown) => jest.fn(async () => response);

	it('sends a write once, however often its item is tried', async () => {
		const send = sending({ id: 7 });
		for (let attempt = 0; attempt < 5; attempt++) {
			expect(await log().once(send)).toEqual({ id: 7 });
		}
		expect(send).toHaveBeenCalledTimes(1);
	});

	it('tells the writes of an item apart by their order', async () => {
		for (let attempt = 0; attempt < 2; attempt++) {
			const both = log('0 campaign.upsert', { both: true });
			expect(await both.once(sending('first'))).toBe('first');
			expect(await both.once(sending('second'))).toBe('second');
		}
	});

	it('sends a write again after it failed', async () => {
		const failing = jest.fn(async () => await Promise.reject(new Error('503')));
		await expect(log('1 pixel.create').once(failing)).rejects.toThrow('503');
		expect(await log('1 pixel.create').once(sending({ id: 8 }))).toEqual({ id: 8 });
	});

	it('doesn’t repeat a write whose confirmation can’t be read', async () => {
		const unreadable = new ServiceError('Cut off', { isCarriedOut: true });
		const send = jest.fn(async () => await Promise.reject(unreadable));
		for (let attempt = 0; attempt < 2; attempt++) {
			await expect(log('2 pixel.create').once(send)).rejects.toBe(unreadable);
		}
		expect(send).toHaveBeenCalledTimes(1);
	});

	it.each([
		['another execution of the node', ['0 campaign.create', input, {}]],
		['another tool call of the same agent', ['0 campaign.create', {}, execution]],
		['another item with the same fields', ['1 campaign.create', input, execution]],
		['another operation', ['0 channel.create', input, execution]],
	] as Array<[string, [string, object, object]]>)(
		'sends the same write again for %s',
		async (_what, other) => {
			await log().once(sending({ id: 7 }));
			const send = sending({ id: 9 });
			expect(await log(...other).once(send)).toEqual({ id: 9 });
			expect(send).toHaveBeenCalledTimes(1);
		},
	);
});
