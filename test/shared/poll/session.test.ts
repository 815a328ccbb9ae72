import { oneAtATime } from '../../../nodes/shared/poll/session';
import { clock, MINUTE } from './pollModel';

/** A poll that ends when it's told to. */
function hanging() {
	let end: (result: string) => void = () => {};
	const ended = new Promise<string>((resolve) => {
		end = resolve;
	});
	let isCurrent = () => true;
	const poll = async (isHeld: () => boolean) => {
		isCurrent = isHeld;
		return await ended;
	};
	return { poll, end, isCurrent: () => isCurrent() };
}

const quick = async () => 'polled';

describe('Polls of one trigger', () => {
	it('run one at a time, beside those of other triggers', async () => {
		const { poll, end } = hanging();
		const first = oneAtATime('one', clock.now + MINUTE, poll);
		expect(await oneAtATime('one', clock.now + MINUTE, quick)).toBeNull();
		expect(await oneAtATime('other', clock.now + MINUTE, quick)).toBe('polled');
		end('late');
		expect(await first).toBe('late');
		expect(await oneAtATime('one', clock.now + MINUTE, quick)).toBe('polled');
	});

	it('a poll that hangs until n8n gives it up loses its place to the next one, and knows it', async () => {
		const slow = hanging();
		const next = hanging();
		const first = oneAtATime('hanging', clock.now + MINUTE, slow.poll);
		expect(slow.isCurrent()).toBe(true);
		clock.now += MINUTE;
		const second = oneAtATime('hanging', clock.now + MINUTE, next.poll);
		expect(slow.isCurrent()).toBe(false);
		slow.end('late');
		await first;
		expect(next.isCurrent()).toBe(true);
		expect(await oneAtATime('hanging', clock.now + MINUTE, quick)).toBeNull();
		next.end('done');
		await second;
	});
});
