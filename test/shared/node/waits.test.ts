import { Waits } from '../../../nodes/shared/node/waits';
import { useFakeClock } from '../http/scriptedHost';

const clock = useFakeClock();

describe('Waits', () => {
	it.each([
		['0-4, 0-4.4', 300, undefined],
		['0-5', 300, 'Waited 5 s for the rate limit'],
		['0-7, 1-11.6', 300, 'Waited 12 s for the rate limit'],
		['0-20, 1-5, 10-20', 300, 'Waited 20 s for the rate limit'],
		['0-50, 60-120', 300, 'Waited 110 s for the rate limit'],
		['0-60', 8, 'Waited 8 s for the rate limit'],
	])(
		'the notice after waits in seconds %s and an end after %d is "%s"',
		async (each, end, message) => {
			const waits = new Waits();
			const start = clock.now();
			for (const wait of each.split(', ')) {
				const [from = 0, to = 0] = wait.split('-').map((seconds) => Number(seconds) * 1_000);
				void clock.sleep(from).then(() => waits.note(start + to));
			}
			await clock.advance(end * 1_000);
			expect(waits.notice()).toBe(message);
		},
	);
});
