import type { Account } from '../../../nodes/shared/http/connection';
import { keyMask } from '../../../nodes/shared/http/credential';
import { CanceledError } from '../../../nodes/shared/http/errors';
import { Run } from '../../../nodes/shared/node/run';
import { useFakeClock } from '../http/scriptedHost';

const clock = useFakeClock();

function newRun(more: object = {}): Run {
	const context = {
		getNode: () => ({ type: 'links', name: 'Create campaign' }),
		continueOnFail: () => false,
		getExecutionCancelSignal: () => undefined,
		...more,
	};
	return new Run(context as never);
}

describe('Run', () => {
	const addExecutionHints = jest.fn();
	beforeEach(() => addExecutionHints.mockClear());

	it('shows a notice once, whatever numbers it has', () => {
		const run = newRun({ addExecutionHints });
		run.notice('50 of 120 companies');
		run.notice('50 of 80 companies');
		run.notice('Quota is low', 'warning');
		expect(addExecutionHints.mock.calls).toEqual([
			[{ message: '50 of 120 companies', type: 'info', location: 'outputPane' }],
			[{ message: 'Quota is low', type: 'warning', location: 'outputPane' }],
		]);
	});

	it('hides every key of the run in a notice', () => {
		const run = newRun({ addExecutionHints });
		for (const key of ['first-key', 'second-key']) {
			run.keys.check({ identity: key, mask: keyMask(key) } as Account);
		}
		run.notice('Neither first-key nor second-key');
		expect(addExecutionHints.mock.calls).toMatchObject([[{ message: 'Neither *** nor ***' }]]);
	});

	it('says at its end how long it has waited, after what it reports', async () => {
		const run = newRun({ addExecutionHints });
		run.waits.note(clock.now() + 42_000);
		await clock.advance(60_000);
		run.end({ notices: [{ message: '120 rows', type: 'info' }] }, '');
		expect(addExecutionHints.mock.calls).toMatchObject([
			[{ message: '120 rows' }],
			[{ message: 'Waited 42 s for the rate limit' }],
		]);
	});

	it.each([
		[0, 'Mend it.'],
		[1, 'Mend it. 1 item was written in this run. Go on.'],
		[2, 'Mend it. 2 items were written in this run. Go on.'],
	])('an error after %d written items says "%s"', (written, description) => {
		const run = newRun();
		run.itemsWritten = written;
		run.stop(Object.assign(new Error('Wrong'), { description: 'Mend it.' }));
		run.stop(new Error('Wrong as well'));
		expect(() => run.end({}, 'Go on.')).toThrow(
			expect.objectContaining({ message: 'Wrong', description }) as Error,
		);
	});

	it('drops notices if n8n can’t show them', () => {
		expect(() => newRun().notice('Two pages moved')).not.toThrow();
	});

	it('stops when the execution is canceled, even if that was before it began', () => {
		const cancel = new AbortController();
		const start = () => newRun({ getExecutionCancelSignal: () => cancel.signal });
		const running = start();
		expect(running.signal.aborted).toBe(false);
		cancel.abort();
		expect([running, start()].map(({ signal }) => signal.aborted)).toEqual([true, true]);
	});
});

describe('Run with tasks of one record', () => {
	it('runs tasks of one record in turn, even in several runs and after a failure', async () => {
		const order: string[] = [];
		const task = (name: string) => async () => {
			order.push(`${name} starts`);
			await clock.sleep(1_000);
			order.push(`${name} ends`);
			if (name === 'a') throw new Error('Failed');
		};
		const all = Promise.allSettled([
			newRun().inTurn('record', task('a')),
			newRun().inTurn('record', task('b')),
			newRun().inTurn('another', task('c')),
		]);
		await clock.until(all);
		expect(order.filter((each) => !each.startsWith('c'))).toEqual([
			...['a starts', 'a ends', 'b starts', 'b ends'],
		]);
		expect(order.indexOf('c starts')).toBeLessThan(order.indexOf('a ends'));
	});

	it('stops a waiting task when it’s canceled, while later tasks keep waiting', async () => {
		const stopped = newRun();
		let finish = () => {};
		const busy = new Promise<void>((resolve) => (finish = resolve));
		const first = newRun().inTurn('stopped', async () => await busy);
		const task = jest.fn(async () => {});
		const cancelled = stopped.inTurn('stopped', task);
		const last = jest.fn(async () => {});
		const third = newRun().inTurn('stopped', last);
		await clock.drain();
		stopped.stop();
		await expect(cancelled).rejects.toBeInstanceOf(CanceledError);
		expect(last).not.toHaveBeenCalled();
		finish();
		await Promise.all([first, third]);
		expect(task).not.toHaveBeenCalled();
		expect(last).toHaveBeenCalledTimes(1);
	});
});
