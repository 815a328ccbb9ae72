import type { INode } from 'n8n-workflow';

import type { Account } from '../../../nodes/shared/http/connection';
import { CancelledError, ServiceError } from '../../../nodes/shared/http/errors';
import type { RateLimiter } from '../../../nodes/shared/http/limiter';
import { Run } from '../../../nodes/shared/node/run';
import { useFakeClock } from '../http/scriptedHost';

const clock = useFakeClock();

describe('Run', () => {
	it('shows a hint once even if many items give it', () => {
		const addExecutionHints = jest.fn();
		const run = new Run();
		run.notice({ addExecutionHints }, 'Two pages moved', 'info');
		run.notice({ addExecutionHints }, 'Two pages moved', 'info');
		run.notice({ addExecutionHints }, 'Quota is low', 'warning');
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
		run.end({ addExecutionHints });
		expect(addExecutionHints.mock.calls.map(([{ message }]) => message)).toEqual(messages);
	});

	it('logs a wait that has begun once a minute, with the number of items left', () => {
		const info = jest.fn();
		const node = { name: 'Create campaign' } as INode;
		const context = { getNode: () => node, logger: { info } } as never;
		const account = { baseUrl: 'https://links.example/v1' } as Account;
		const run = new Run(120);
		const now = clock.now();
		run.logWait(context, now + 4_000, account);
		expect(info).not.toHaveBeenCalled();
		run.itemsDone = 2;
		for (const late of [0, 20, 50_000]) run.logWait(context, now + 41_100 + late, account);
		expect(info.mock.calls).toEqual([
			['"Create campaign" is waiting 42 s for the rate limit of links.example; items left: 118'],
		]);
	});

	it('drops hints if n8n can’t show them', () => {
		expect(() => new Run().notice({}, 'Two pages moved', 'info')).not.toThrow();
	});

	it('stops when the execution is cancelled', () => {
		const cancel = new AbortController();
		const run = new Run();
		run.follow(cancel.signal);
		cancel.abort();
		expect([run.signal.aborted, run.cancelSignal.aborted]).toEqual([true, true]);
	});
});

describe('Run with items', () => {
	it.each([
		['ten items at a time', false, 10],
		['one item after the other while requests are scarce', true, 1],
	])('works on %s', async (_, isScarce, expected) => {
		const run = new Run();
		run.limiter = { isScarce } as RateLimiter;
		let [inProgress, most] = [0, 0];
		const work = run.eachAtOnce(10, [...Array(40).keys()], async () => {
			most = Math.max(most, ++inProgress);
			await clock.sleep(1_000);
			inProgress--;
		});
		await clock.until(work);
		expect([most, run.itemsDone]).toEqual([expected, 40]);
	});

	it('starts no more items after it has stopped', async () => {
		const run = new Run();
		const started: number[] = [];
		await run.eachAtOnce(10, [0, 1, 2], async (item) => {
			started.push(item);
			run.stop();
		});
		expect(started).toEqual([0]);
	});
});

describe('Run with identical GETs', () => {
	it('sends them once, and gives each caller an object of its own', async () => {
		const run = new Run();
		const send = jest.fn(async () => ({ rows: [{ id: 1 }] }));
		const first = run.get('list', send);
		const second = run.get('list', send);
		expect(await second).toEqual(await first);
		expect(await second).not.toBe(await first);
		expect(send).toHaveBeenCalledTimes(1);
	});

	it('sends a GET again if it must be fresh, and keeps the new response', async () => {
		const run = new Run();
		await run.get('list', async () => 'old');
		expect(await run.get('list', async () => 'new', true)).toBe('new');
		expect(await run.get('list', async () => 'newest')).toBe('new');
	});

	it.each([
		['rate-limited', 'sent again'],
		['quota-exhausted', 'sent again'],
		['temporarily-unavailable', 'failed'],
	] as const)('after the failure "%s", an identical GET is %s', async (cause, outcome) => {
		const run = new Run();
		const error = new ServiceError('Failed', { failure: { cause } });
		await expect(run.get('list', async () => await Promise.reject(error))).rejects.toBe(error);
		const again = run.get('list', async () => 'sent again').catch(() => 'failed');
		expect(await again).toBe(outcome);
	});

	it('keeps the thousand latest responses', async () => {
		const run = new Run();
		for (let each = 0; each <= 1_000; each++) await run.get(`${each}`, async () => each);
		expect(await run.get('1000', async () => 'sent')).toBe(1_000);
		expect(await run.get('0', async () => 'sent')).toBe('sent');
	});
});

describe('Run with a denied key', () => {
	const account = { identity: 'key' } as Account;
	const denied = new ServiceError('Denied', { httpCode: '403', isBareDenial: true });

	it('gives a key up whose first three items are denied', () => {
		const run = new Run();
		for (let item = 0; item < 3; item++) {
			expect(run.keyOf(account).error).toBeUndefined();
			run.noteFailure(account, denied);
		}
		expect(run.keyOf(account).error).toBe(denied);
	});

	it('keeps a key that the service has accepted', () => {
		const run = new Run();
		run.keyOf(account).isAccepted = true;
		for (let item = 0; item < 5; item++) run.noteFailure(account, denied);
		expect(run.keyOf(account).error).toBeUndefined();
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
		const key = Promise.resolve('record');
		const all = Promise.allSettled([
			new Run().inTurn(key, task('a')),
			new Run().inTurn(key, task('b')),
		]);
		await clock.until(all);
		expect(order).toEqual(['a starts', 'a ends', 'b starts', 'b ends']);
	});

	it('doesn’t make tasks wait for those of another record', async () => {
		const hangs = async () => await new Promise<void>(() => {});
		void new Run().inTurn(Promise.resolve('hanging'), hangs);
		const other = new Run().inTurn(Promise.resolve('other'), async () => 'done');
		expect(await other).toBe('done');
	});

	it('stops a waiting task when it’s canceled, while later tasks keep waiting', async () => {
		const stopped = new Run();
		const key = Promise.resolve('stopped');
		let finish = () => {};
		const busy = new Promise<void>((resolve) => (finish = resolve));
		const first = new Run().inTurn(key, async () => await busy);
		const task = jest.fn(async () => {});
		const cancelled = stopped.inTurn(key, task);
		const last = jest.fn(async () => {});
		const third = new Run().inTurn(key, last);
		await clock.drain();
		stopped.stop();
		await expect(cancelled).rejects.toBeInstanceOf(CancelledError);
		expect(last).not.toHaveBeenCalled();
		finish();
		await Promise.all([first, third]);
		expect(task).not.toHaveBeenCalled();
		expect(last).toHaveBeenCalledTimes(1);
	});
});
