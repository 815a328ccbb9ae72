import type { Account } from '../../../nodes/shared/http/connection';
import { Waits } from '../../../nodes/shared/node/waits';
import { useFakeClock } from '../http/scriptedHost';

const clock = useFakeClock();
const account = { baseUrl: 'https://links.example/v1' } as Account;

describe('Waits', () => {
	it.each([
		['0-4, 0-4.4', 300, undefined],
		['0-7, 1-12', 300, 'Waited 12 s for the rate limit'],
		['0-50, 60-120', 300, 'Waited 110 s for the rate limit'],
		['0-60', 8, 'Waited 8 s for the rate limit'],
	])('after waits in seconds %s and an end after %d, says "%s"', async (each, end, message) => {
		const waits = new Waits(() => {});
		const start = clock.now();
		for (const wait of each.split(', ')) {
			const [from = 0, to = 0] = wait.split('-').map((seconds) => Number(seconds) * 1_000);
			void clock.sleep(from).then(() => waits.note(start + to, account));
		}
		await clock.advance(end * 1_000);
		expect(waits.notice()).toBe(message);
	});

	it('logs a wait once a minute, unless it is short', () => {
		const log = jest.fn();
		const waits = new Waits(log);
		const now = clock.now();
		waits.note(now + 4_000, account);
		expect(log).not.toHaveBeenCalled();
		for (const late of [0, 20, 50_000]) waits.note(now + 41_100 + late, account);
		expect(log.mock.calls).toEqual([['waiting 42 s for the rate limit of links.example']]);
	});
});
