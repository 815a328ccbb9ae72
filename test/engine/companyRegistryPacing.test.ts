import { jsonOf } from './harness';

import type { RegistrySettings } from '../../sandbox';
import { bench, fastClock } from './companyRegistrySupport';
import { itemsOf } from './linkManagementSupport';
import { timeLimit } from '../../tools/timeLimits';

const MINUTE_MS = 60_000;
/** A minute of the plan takes 0.3 s, and longer on a slow machine. */
const SPEED = 200 / timeLimit(1);

const families: Array<RegistrySettings['rateLimit']['family']> = [
	'x-ratelimit',
	'ratelimit',
	'none',
];
const resets: Array<RegistrySettings['rateLimit']['reset']> = [
	'epochSeconds',
	'epochMs',
	'secondsFromNow',
	'httpDate',
	'isoDate',
];

const HEADERS = families.flatMap((family) =>
	(family === 'none' ? resets.slice(0, 1) : resets).map((reset) => [family, reset] as const),
);

/** Windows of a minute, each of which starts with the first request after the last has ended. */
function windowsOf(times: readonly number[]): number[] {
	const sizes: number[] = [];
	let start = -Infinity;
	for (const at of times) {
		if (at >= start + MINUTE_MS) {
			start = at;
			sizes.push(0);
		}
		sizes[sizes.length - 1]!++;
	}
	return sizes;
}

afterEach(() => jest.restoreAllMocks());

describe('25 look-ups on the plan of 10 per minute', () => {
	it.each(HEADERS)(
		'take 3 windows and meet no refusal with headers %s, %s',
		async (family, reset) => {
			const clock = fastClock(SPEED);
			const { run, companies, requests } = await bench(
				'v1',
				{ plan: 'developer-free', rateLimit: { family, reset } },
				{ plan: { plan: 'developerFree' }, clock },
			);
			const wanted = companies.slice(0, 25).map(({ idno }) => ({ idno }));
			const { items, error } = await run(
				{ resource: 'company', operation: 'get', idno: '={{ $json.idno }}' },
				{ items: itemsOf(...wanted) },
			);
			expect(error).toBeUndefined();
			expect(jsonOf(items).map(({ idno }) => idno)).toEqual(wanted.map(({ idno }) => idno));
			expect(requests.map(({ status }) => status)).toEqual(Array(25).fill(200));
			// On a busy machine a burst may stretch over a window's end, but never exceeds its limit.
			const windows = windowsOf(requests.map(({ at }) => at));
			expect(windows).toHaveLength(3);
			expect(Math.max(...windows)).toBe(10);
		},
	);

	it('are paced by the plan alone while the headers describe the day', async () => {
		const clock = fastClock(SPEED);
		const { run, companies, requests } = await bench(
			'v1',
			{ plan: 'developer-free', headersDescribe: 'day' },
			{ plan: { plan: 'developerFree' }, clock },
		);
		const wanted = companies.slice(0, 25).map(({ idno }) => ({ idno }));
		await run(
			{ resource: 'company', operation: 'get', idno: '={{ $json.idno }}' },
			{ items: itemsOf(...wanted) },
		);
		expect(requests.map(({ status }) => status)).toEqual(Array(25).fill(200));
		expect(windowsOf(requests.map(({ at }) => at))).toHaveLength(3);
	});

	it('wait for the service if the credential’s plan is too large', async () => {
		const clock = fastClock(SPEED);
		const { run, companies, requests } = await bench(
			'v1',
			{ plan: 'developer-free', rateLimit: { family: 'none' } },
			{ plan: { plan: 'businessPro' }, clock },
		);
		const { items, error } = await run(
			{ resource: 'company', operation: 'get', idno: '={{ $json.idno }}' },
			{ items: itemsOf(...companies.slice(0, 25).map(({ idno }) => ({ idno }))) },
		);
		expect(error).toBeUndefined();
		expect(items).toHaveLength(25);
		expect(requests.filter(({ status }) => status === 200)).toHaveLength(25);
	});
});
