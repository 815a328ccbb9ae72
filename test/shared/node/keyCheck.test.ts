import { CancelledError, ServiceError } from '../../../nodes/shared/http/errors';
import { KeyCheck } from '../../../nodes/shared/node/keyCheck';

const rejected = new ServiceError('Rejected', { failure: { cause: 'credential-invalid' } });

/** Whether the key counts as one that does not work after these results of requests. */
async function failsAfter(results: Array<ServiceError | 'success'>): Promise<boolean> {
	const check = new KeyCheck(new AbortController().signal);
	for (const result of results) {
		const response = result === 'success' ? Promise.resolve(result) : Promise.reject(result);
		await check.track(response).catch(() => undefined);
	}
	const { aborted } = check.signal;
	const cancelled = new CancelledError();
	const waiting = check.track(Promise.reject(cancelled));
	await expect(waiting).rejects.toBe(aborted ? rejected : cancelled);
	return aborted;
}

const times = (count: number) => Array.from({ length: count }, () => rejected);

describe('a key', () => {
	it('does not work after ten rejections in a row', async () => {
		expect(await failsAfter(times(9))).toBe(false);
		expect(await failsAfter(times(10))).toBe(true);
	});

	it.each<[string, ServiceError | 'success']>([
		['a success', 'success'],
		['an error about something else', new ServiceError('No such record', { httpCode: '404' })],
	])('works if there is %s among the rejections', async (_, other) => {
		expect(await failsAfter([...times(9), other, ...times(9)])).toBe(false);
		expect(await failsAfter(Array.from({ length: 20 }, () => other))).toBe(false);
	});
});
