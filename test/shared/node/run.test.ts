import type { Account } from '../../../nodes/shared/http/connection';
import { keyMask } from '../../../nodes/shared/http/credential';
import { CanceledError, ServiceError } from '../../../nodes/shared/http/errors';
import { Run } from '../../../nodes/shared/node/run';
import { useFakeClock } from '../http/scriptedHost';

const clock = useFakeClock();
const account = { baseUrl: 'https://links.example/v1' } as Account;

function newRun(more: object = {}, items?: number): Run {
	const context = {
		getNode: () => ({ type: 'links', name: 'Create campaign' }),
		continueOnFail: () => false,
		getExecutionCancelSignal: () => undefined,
		logger: { info: () => {} },
		...more,
	};
	return new Run(context as never, items);
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
			run.keyOf({ identity: key, mask: keyMask(key) } as Account);
		}
		run.notice('Neither first-key nor second-key');
		expect(addExecutionHints.mock.calls).toMatchObject([[{ message: 'Neither *** nor ***' }]]);
	});

	it('drops notices if n8n can’t show them', () => {
		expect(() => newRun().notice('Two pages moved')).not.toThrow();
	});

	it.each([
		['0-4, 0-4.4', 300, undefined],
		['0-7, 1-12', 300, 'Waited 12 s for the rate limit'],
		['0-50, 60-120', 300, 'Waited 110 s for the rate limit'],
		['0-60', 8, 'Waited 8 s for the rate limit'],
	])('after waits in seconds %s and an end after %d, says "%s"', async (waits, end, message) => {
		const run = newRun({ addExecutionHints });
		const start = clock.now();
		for (const wait of waits.split(', ')) {
			const [from = 0, to = 0] = wait.split('-').map((seconds) => Number(seconds) * 1_000);
			void clock.sleep(from).then(() => run.noteWait(start + to, account));
		}
		await clock.advance(end * 1_000);
		run.end('');
		expect(addExecutionHints.mock.calls.map(([{ message }]) => message)).toEqual(
			message === undefined ? [] : [message],
		);
	});

	it('stops when the execution is canceled, even if that was before it began', () => {
		const cancel = new AbortController();
		const start = () => newRun({ getExecutionCancelSignal: () => cancel.signal });
		const running = start();
		expect(running.signal.aborted).toBe(false);
		cancel.abort();
		expect([running, start()].map(({ signal }) => signal.aborted)).toEqual([true, true]);
	});

	it('logs a wait that has begun once a minute, with the number of items left', () => {
		const info = jest.fn();
		const run = newRun({ logger: { info } }, 120);
		const now = clock.now();
		run.noteWait(now + 4_000, account);
		expect(info).not.toHaveBeenCalled();
		run.itemsDone = 2;
		for (const late of [0, 20, 50_000]) run.noteWait(now + 41_100 + late, account);
		expect(info.mock.calls).toEqual([
			['"Create campaign" is waiting 42 s for the rate limit of links.example; items left: 118'],
		]);
	});
});

describe('Run with identical GETs', () => {
	it('gives each caller an object of its own', async () => {
		const run = newRun();
		const send = jest.fn(async () => ({ rows: [{ id: 1 }] }));
		const [first, second] = await Promise.all([run.get('list', send), run.get('list', send)]);
		expect(second).toEqual(first);
		expect(second).not.toBe(first);
		expect(send).toHaveBeenCalledTimes(1);
	});

	it('sends a GET again if it must be fresh, and keeps the new response', async () => {
		const run = newRun();
		await run.get('list', async () => 'old');
		expect(await run.get('list', async () => 'new', true)).toBe('new');
		expect(await run.get('list', async () => 'newest')).toBe('new');
	});

	it.each([
		['rate-limited', 'sent again'],
		['quota-exhausted', 'sent again'],
		['temporarily-unavailable', 'failed'],
	] as const)('after the failure "%s", an identical GET is %s', async (cause, outcome) => {
		const run = newRun();
		const error = new ServiceError('Failed', { failure: { cause } });
		await expect(run.get('list', async () => await Promise.reject(error))).rejects.toBe(error);
		const again = run.get('list', async () => 'sent again').catch(() => 'failed');
		expect(await again).toBe(outcome);
	});

	it('keeps the thousand latest responses', async () => {
		const run = newRun();
		for (let each = 0; each <= 1_000; each++) await run.get(`${each}`, async () => each);
		expect(await run.get('1000', async () => 'sent')).toBe(1_000);
		expect(await run.get('0', async () => 'sent')).toBe('sent');
	});
});

it('gives a key up whose first three items are denied, unless the service has accepted it', () => {
	const account = { identity: 'key' } as Account;
	const denied = new ServiceError('Denied', { httpCode: '403', isBareDenial: true });
	const [run, accepted] = [newRun(), newRun()];
	accepted.keyOf(account).isAccepted = true;
	for (let item = 0; item < 3; item++) {
		expect(run.keyOf(account).error).toBeUndefined();
		for (const each of [run, accepted]) each.noteFailure(account, denied);
	}
	expect(run.keyOf(account).error).toBe(denied);
	expect(accepted.keyOf(account).error).toBeUndefined();
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
