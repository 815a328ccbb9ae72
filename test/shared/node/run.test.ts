import type { INode } from 'n8n-workflow';

import { CancelledError, ServiceError } from '../../../nodes/shared/http/errors';
import { joinRun, Run } from '../../../nodes/shared/node/run';
import { useFakeClock } from '../http/scriptedHost';

const clock = useFakeClock();

describe('Run', () => {
	it('shares one run among all items of an execution', () => {
		const execution = {};
		const run = joinRun(execution, 0);
		expect(joinRun(execution, 1)).toBe(run);
		expect(joinRun({}, 0)).not.toBe(run);
	});

	it('starts a new run with a clean state if an item arrives again', async () => {
		const execution = {};
		const first = joinRun(execution, 0);
		joinRun(execution, 1);
		await first.responses.get('get', async () => 'old');
		first.stopped.abort();
		const second = joinRun(execution, 0);
		expect(joinRun(execution, 1)).toBe(second);
		expect(second.stopped.signal.aborted).toBe(false);
		expect(await second.responses.get('get', async () => 'new')).toBe('new');
	});

	it('shows a hint once even if many items give it', () => {
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

	it.each<[waits: Array<[startsAt: number, ms: number]>, messages: string[]]>([
		[[], []],
		[
			[
				[0, 4_000],
				[0, 4_400],
			],
			[],
		],
		[
			[
				[0, 7_000],
				[1_000, 11_000],
			],
			['Waited 12 s for the rate limit'],
		],
		[
			[
				[0, 50_000],
				[60_000, 60_000],
			],
			['Waited 110 s for the rate limit'],
		],
	])('adds up waits for the rate limit that don’t overlap: %j', async (waits, messages) => {
		const addExecutionHints = jest.fn();
		const run = new Run();
		for (const [startsAt, ms] of waits) {
			void clock.sleep(startsAt + ms).then(() => run.noteWait(ms));
		}
		await clock.run();
		run.hintAtWait({ addExecutionHints });
		expect(addExecutionHints.mock.calls.map(([{ message }]) => message)).toEqual(messages);
	});

	it('reports a long wait once when it begins, with the number of items left', () => {
		const info = jest.fn();
		const sendMessageToUI = jest.fn();
		const node = { name: 'Create campaign' } as INode;
		const context = { getNode: () => node, logger: { info }, sendMessageToUI } as never;
		const run = new Run(120);
		const now = clock.now();
		run.logWait(context, now + 4_000, 'links.example');
		expect(info).not.toHaveBeenCalled();
		run.itemEnds();
		run.itemEnds();
		for (const late of [0, 20, 1_000]) run.logWait(context, now + 41_100 + late, 'links.example');
		const message =
			'"Create campaign" is waiting 42 s for the rate limit of links.example; 118 items left';
		expect(info.mock.calls).toEqual([[message]]);
		expect(sendMessageToUI.mock.calls).toEqual([[message]]);
		run.logWait(context, now + 101_100, 'links.example');
		expect(info).toHaveBeenCalledTimes(2);
	});

	it('drops hints if n8n can’t show them', () => {
		expect(() => new Run().hint({}, 'Two pages moved', 'info')).not.toThrow();
	});

	it('aborts its signals with the execution and with the run', () => {
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

describe('Run with a rejected key', () => {
	const rejection = new ServiceError('Wrong key', { failure: { cause: 'credential-invalid' } });
	const reject = async () => await Promise.reject(rejection);

	it('doesn’t send a rejected key again, while other keys and other runs continue', async () => {
		const run = new Run();
		const send = jest.fn(async () => 'sent');
		await expect(run.withKey('bad', undefined, reject)).rejects.toBe(rejection);
		await expect(run.withKey('bad', undefined, send)).rejects.toBe(rejection);
		expect(send).not.toHaveBeenCalled();
		expect(await run.withKey('good', undefined, send)).toBe('sent');
		expect(await new Run().withKey('bad', undefined, send)).toBe('sent');
	});

	it('ends the waits of other requests with a rejected key', async () => {
		const run = new Run();
		const waiting = run.withKey('bad', undefined, async (signal) => {
			await clock.sleep(60_000, signal);
			throw new CancelledError();
		});
		await expect(run.withKey('bad', undefined, reject)).rejects.toBe(rejection);
		await expect(waiting).rejects.toBe(rejection);
	});

	it('keeps sending a key after a failure that isn’t about it', async () => {
		const run = new Run();
		const missing = new ServiceError('No such record', { httpCode: '404' });
		const fail = async () => await Promise.reject(missing);
		await expect(run.withKey('key', undefined, fail)).rejects.toBe(missing);
		expect(await run.withKey('key', undefined, async () => 'sent')).toBe('sent');
	});
});

describe('Run with tasks of one record', () => {
	const { signal } = new AbortController();

	it('runs tasks of one record in turn, even in several runs and after a failure', async () => {
		const order: string[] = [];
		const task = (name: string) => async () => {
			order.push(`${name} starts`);
			await clock.sleep(1_000);
			order.push(`${name} ends`);
			if (name === 'a') throw new Error('Failed');
		};
		const key = Promise.resolve('record');
		const all = Promise.allSettled([
			new Run().inTurn(key, signal, task('a')),
			new Run().inTurn(key, signal, task('b')),
		]);
		await clock.until(all);
		expect(order).toEqual(['a starts', 'a ends', 'b starts', 'b ends']);
	});

	it('doesn’t make tasks wait for those of another record', async () => {
		const hangs = async () => await new Promise<void>(() => {});
		void new Run().inTurn(Promise.resolve('hanging'), signal, hangs);
		const other = new Run().inTurn(Promise.resolve('other'), signal, async () => 'done');
		expect(await other).toBe('done');
	});

	it('stops a waiting task when it’s canceled, while later tasks keep waiting', async () => {
		const cancel = new AbortController();
		const key = Promise.resolve('stopped');
		let finish = () => {};
		const busy = new Promise<void>((resolve) => (finish = resolve));
		const first = new Run().inTurn(key, signal, async () => await busy);
		const task = jest.fn(async () => {});
		const cancelled = new Run().inTurn(key, cancel.signal, task);
		const last = jest.fn(async () => {});
		const third = new Run().inTurn(key, signal, last);
		await clock.drain();
		cancel.abort();
		await expect(cancelled).rejects.toBeInstanceOf(CancelledError);
		expect(last).not.toHaveBeenCalled();
		finish();
		await Promise.all([first, third]);
		expect(task).not.toHaveBeenCalled();
		expect(last).toHaveBeenCalledTimes(1);
	});
});
