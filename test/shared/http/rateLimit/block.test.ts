import { Block } from '../../../../nodes/shared/http/rateLimit/block';
import type { Refusal } from '../../../../nodes/shared/http/rateLimit/block';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const NOW = Date.UTC(2026, 4, 4, 12);

const inMs = (ms: number) => ({ at: NOW + ms, resolutionMs: 0 });

function refused(refusal: Partial<Refusal>, block = new Block(), now = NOW): Block {
	const usual = {
		headers: {},
		namesLongQuota: false,
		describesLongQuota: false,
		earlier: 0,
		sameBurst: false,
	};
	block.refuse({ ...usual, ...refusal }, MINUTE, now);
	return block;
}

describe('how long a refusal blocks', () => {
	it.each<[string, Partial<Refusal>, number]>([
		['one documented window where nothing is said', {}, MINUTE],
		['as long as Retry-After asks', { headers: { retry: inMs(7_000) } }, 7_000],
		['until the reset', { headers: { remaining: 0, reset: inMs(12_000) } }, 12_000],
		[
			'as long as Retry-After asks, whatever the reset',
			{ headers: { retry: inMs(7_000), reset: inMs(50_000) } },
			7_000,
		],
		['one window where the reset is past', { headers: { reset: inMs(-5_000) } }, MINUTE],
		[
			'one window where the reset is hours away and no such quota is described',
			{ headers: { remaining: 0, reset: inMs(3 * HOUR) } },
			MINUTE,
		],
		['a moment at least', { headers: { retry: inMs(0) } }, 250],
		['longer each time for the same request', { headers: { retry: inMs(0) }, earlier: 4 }, 4_000],
		[
			'one window at most for the same request',
			{ headers: { retry: inMs(0) }, earlier: 20 },
			MINUTE,
		],
		[
			'some minutes where the service asks for it',
			{ headers: { retry: inMs(5 * MINUTE) } },
			5 * MINUTE,
		],
	])('%s', (_, refusal, ms) => {
		const block = refused(refusal);
		expect(block).toMatchObject({ until: NOW + ms, opensAt: NOW + ms, failsFast: false });
		expect(block.holds(NOW + ms - 1)).toBe(true);
		expect(block.holds(NOW + ms)).toBe(false);
	});

	it('is not shortened by another refusal of the same burst', () => {
		const block = refused({ headers: { retry: inMs(30_000) } });
		refused({ headers: { retry: inMs(5_000) }, sameBurst: true }, block);
		expect(block.until).toBe(NOW + 30_000);
		expect(block.rounds).toBe(1);
	});

	it('ends when the clock is set back', () => {
		expect(refused({}).holds(NOW - HOUR)).toBe(false);
	});
});

describe('an exhausted quota', () => {
	it.each<[string, Partial<Refusal>, number, boolean]>([
		['Retry-After of hours', { headers: { retry: inMs(5 * HOUR) } }, 5 * HOUR, false],
		[
			'a reset in hours where the headers describe such a quota',
			{ headers: { remaining: 0, reset: inMs(5 * HOUR) }, describesLongQuota: true },
			5 * HOUR,
			false,
		],
		['words of a day without a time', { namesLongQuota: true }, MINUTE, true],
		[
			'words of a day where the short window has requests left',
			{ namesLongQuota: true, headers: { remaining: 25, reset: inMs(20_000) } },
			MINUTE,
			true,
		],
	])('is seen by %s, and checked every minute', (_, refusal, ms, guessed) => {
		expect(refused(refusal)).toMatchObject({
			until: NOW + MINUTE,
			opensAt: NOW + ms,
			quota: true,
			failsFast: true,
			guessed,
		});
	});

	it('that ends within minutes is waited for', () => {
		const block = refused({ namesLongQuota: true, headers: { retry: inMs(5 * MINUTE) } });
		expect(block).toMatchObject({ until: NOW + 5 * MINUTE, quota: true, failsFast: false });
	});

	it('is not inferred from words if the short window explains the refusal', () => {
		const block = refused({
			namesLongQuota: true,
			headers: { remaining: 0, reset: inMs(20_000) },
		});
		expect(block).toMatchObject({ until: NOW + 20_000, failsFast: false });
	});

	it('is still exhausted after a refusal by the short window', () => {
		const block = refused({ namesLongQuota: true });
		refused({ headers: { retry: inMs(1_000) } }, block);
		expect(block).toMatchObject({ failsFast: true, quota: true });
	});
});

describe('a success', () => {
	it('ends the count of refused windows', () => {
		const block = refused({});
		expect(block.rounds).toBe(1);
		block.gaveUp = true;
		block.succeed(NOW + MINUTE);
		expect(block).toMatchObject({ rounds: 0, gaveUp: false });
	});

	it('of a request that was sent before the refusal changes nothing', () => {
		const block = refused({});
		block.succeed(NOW + 1_000);
		expect(block.holds(NOW + 1_000)).toBe(true);
		expect(block.rounds).toBe(1);
	});
});
