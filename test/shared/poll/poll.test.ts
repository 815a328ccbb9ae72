import type { IDataObject, INodeType } from 'n8n-workflow';

import { HostileList } from './hostileList';
import { clock, HOUR, hours, MINUTE } from './pollModel';
import { Watch, watching } from './watch';

const FILES = { event: 'fileCreated' };

/** A trigger node with its own module state, as in another n8n process. */
async function inAnotherProcess(): Promise<INodeType> {
	let node: INodeType | undefined;
	await jest.isolateModulesAsync(async () => {
		const { systemClock } = await import('../../../nodes/shared/http/clock');
		jest.spyOn(systemClock, 'now').mockImplementation(() => clock.now);
		const trigger = await import('../../../nodes/LinkManagement/LinkManagementTrigger.node');
		node = new trigger.LinkManagementTrigger();
	});
	return node!;
}

it('emits nothing twice if the polls move to another process and back', async () => {
	const [one, other] = [await inAnotherProcess(), await inAnotherProcess()];
	const watch = await watching({ ...FILES }, 20);
	watch.node = one;
	await watch.start();
	await hours(2, watch);
	const added = watch.list.add(2);
	watch.node = other;
	await watch.start();
	watch.node = one;
	await watch.start();
	await hours(2, watch);
	expect(watch.events.map(({ id }) => id)).toEqual(added);
});

it('emits what a poll found before a request failed, warns, and goes on from that page', async () => {
	const watch = await watching({ ...FILES }, 30, { order: 'oldestFirst', pageSize: 10 });
	const added = watch.list.add(15);
	let requests = 0;
	watch.list.before = () => (++requests === 5 ? 'fail' : undefined);
	const first = await watch.poll(5);
	expect(first.map(({ id }) => id)).toEqual(added.slice(0, 10));
	expect(watch.warnings).toEqual([expect.stringContaining('a poll ended early')]);
	watch.list.before = () => undefined;
	expect((await watch.poll()).map(({ id }) => id)).toEqual(added.slice(10));
	expect(watch.requests).toBe(1);
	expect(watch.errors).toEqual([]);
});

it('goes on from the page where a poll without events failed', async () => {
	const watch = await watching({ ...FILES }, 50, { order: 'oldestFirst', pageSize: 10 });
	let requests = 0;
	watch.list.before = () => (++requests === 4 ? 'fail' : undefined);
	expect(await watch.poll(4)).toEqual([]);
	watch.list.before = () => undefined;
	await watch.poll();
	expect(watch.requests).toBe(2);
	expect(watch.errors).toEqual([]);
});

it('says in the message what to do, and never the word that makes n8n give up a workflow when it starts', async () => {
	const list = new HostileList();
	const message = 'Authorization unavailable (Authorization service)';
	list.page = () => ({ status: 503, body: { error: 1, message } });
	const trigger = new Watch(list, { ...FILES });
	const error = await trigger.publish().catch((thrown: Error) => thrown);
	expect(error).toMatchObject({
		message: expect.stringMatching(
			/^File Created: .*Try again.*authorization unavailable \(authorization service\).*isn't running yet/,
		),
		description: undefined,
	});
	expect(error).not.toMatchObject({ message: expect.stringContaining('Authorization') });
	expect(trigger.warnings).toEqual([]);
});

it('says why a later poll or a test event failed, and not that the trigger isn’t running', async () => {
	const watch = await watching({ ...FILES }, 20);
	watch.list.page = () => ({ status: 401, body: { error: 1, message: 'Invalid key' } });
	await expect(watch.test()).rejects.toMatchObject({
		message: "File Created: Link Management didn't accept the API key",
		description: expect.stringMatching(/^Check the API Key((?!running).)*$/),
	});
	await watch.tick();
	const message = expect.stringMatching(/Check the API Key((?!running).)*$/);
	expect(watch.errors).toMatchObject([{ message }]);
});

it.each([
	['less time than n8n gives the poll', MINUTE, 48_000],
	['at least two seconds', 1_000, 2_000],
	['four minutes if n8n doesn’t say how long it waits', undefined, 240_000],
])('gives each request %s', async (_, budgetMs, timeout) => {
	const watch = await watching({ ...FILES }, 20);
	watch.timeouts.length = 0;
	watch.setting.budgetMs = budgetMs;
	await watch.tick();
	expect(watch.timeouts).toEqual([timeout]);
});

/** Starts a poll whose answer comes when the returned function is called, which returns the events. */
async function hang(watch: Watch): Promise<() => Promise<IDataObject[]>> {
	const { answer } = watch.setting;
	return await new Promise((started) => {
		let respond = () => {};
		const late = new Promise<void>((resolve) => (respond = resolve));
		watch.setting.answer = async (path, query) => {
			watch.setting.answer = answer;
			started(async () => {
				respond();
				return await poll;
			});
			await late;
			return await answer(path, query);
		};
		const poll = watch.tick();
	});
}

it('emits an event once if a poll takes longer than n8n waits and the next poll takes over', async () => {
	const watch = await watching({ ...FILES }, 20);
	watch.setting.budgetMs = MINUTE;
	const added = watch.list.add(1);
	const hanging = await hang(watch);
	clock.now += HOUR;
	const events = await watch.tick();
	expect([...events, ...(await hanging())].map(({ id }) => id)).toEqual(added);
});

it('a poll that n8n gave up doesn’t make the next one lose its events', async () => {
	const watch = await watching({ ...FILES }, 20);
	watch.setting.budgetMs = MINUTE;
	const added = watch.list.add(1);
	const first = await hang(watch);
	clock.now += HOUR;
	const second = await hang(watch);
	expect(await first()).toEqual([]);
	expect((await second()).map(({ id }) => id)).toEqual(added);
});

/** A trigger that has emitted an event, which n8n hasn't stored. */
async function withUnstoredEvent() {
	const watch = new Watch(new HostileList(), { ...FILES }, 'durable');
	await watch.publish();
	await hours(1, watch);
	const [id] = watch.list.add(1);
	expect(await watch.tickUnstored()).toMatchObject([{ id }]);
	return { watch, id };
}

it('emits an event once if the next poll starts before n8n has stored it, but again if it was never stored', async () => {
	const { watch, id } = await withUnstoredEvent();
	clock.now += 50_000;
	expect(await watch.tick()).toEqual([]);
	clock.now += MINUTE;
	expect(await watch.tick()).toMatchObject([{ id }]);
});

it('emits an event that was never stored again, even if the clock has been set back since', async () => {
	const { watch, id } = await withUnstoredEvent();
	clock.now -= HOUR;
	expect(await watch.tick()).toMatchObject([{ id }]);
});
