import './harness';

import { bench, itemsOf, numbered, pairedWith } from './linkManagementSupport';
import { timeLimit } from '../../tools/timeLimits';

/** The numbers that the package promises, each measured here and printed. */

const create = {
	resource: 'campaign',
	operation: 'create',
	campaignName: '={{ "Campaign no. " + $json.id }}',
};

const LIMIT = 30;
const CREATES = 120;
const WINDOWS = CREATES / LIMIT;

interface Pacing {
	kind: 'fixed' | 'sliding';
	reset: 'epochMs' | 'epochSeconds' | 'secondsFromNow';
	windowMs: number;
	/** Runs of the node at once, sharing one key. */
	runs: number;
}

const variants = [1, 3].flatMap((runs) =>
	(['fixed', 'sliding'] as const).map((kind) => ({ runs, kind })),
);

/** Keys do not pace each other, so requests with different keys can wait in parallel. */
// On a busy machine a burst can stretch over the end of a scaled window.
jest.retryTimes(2, { logErrorsBeforeRetry: true });

describe(`${CREATES} creates against ${LIMIT} per window: no 429, none lost, none duplicated`, () => {
	test(
		'with one run and with three at once, and a reset in milliseconds',
		async () => {
			await Promise.all(
				variants.map(async (variant) => {
					await createAll({ ...variant, reset: 'epochMs', windowMs: timeLimit(1500) });
				}),
			);
		},
		timeLimit(60_000),
	);

	// Each format meets both kinds of windows and both numbers of runs.
	test(
		'with one run and with three at once, and a reset in whole seconds',
		async () => {
			const formats = ['epochSeconds', 'secondsFromNow', 'secondsFromNow', 'epochSeconds'] as const;
			await Promise.all(
				variants.map(async (variant, index) => {
					await createAll({ ...variant, reset: formats[index]!, windowMs: timeLimit(3000) });
				}),
			);
		},
		timeLimit(60_000),
	);
});

async function createAll({ kind, reset, windowMs, runs }: Pacing): Promise<void> {
	const { run, links, requests } = await bench({
		rateLimit: { limit: LIMIT, windowMs, kind, reset },
	});
	const items = numbered(CREATES);
	const share = CREATES / runs;
	const started = Date.now();
	const outcomes = await Promise.all(
		Array.from(
			{ length: runs },
			async (_, index) =>
				await run(create, { items: items.slice(index * share, (index + 1) * share) }),
		),
	);
	const elapsed = Date.now() - started;

	for (const outcome of outcomes) {
		expect(outcome.error).toBeUndefined();
		expect(pairedWith(outcome.items)).toEqual(Array.from({ length: share }, (_, index) => index));
	}
	expect(requests.filter(({ status }) => status !== 200)).toEqual([]);
	expect(requests).toHaveLength(CREATES);
	const names = links.state.campaigns
		.all()
		.map(({ name }) => name)
		.filter((name) => name.startsWith('Campaign no.'));
	expect(names).toHaveLength(CREATES);
	expect(new Set(names).size).toBe(CREATES);
	const used = windowsOf(
		requests.map(({ at }) => at),
		windowMs,
	);
	// On a busy machine one burst may extend into another window.
	expect(Math.max(...used)).toBe(LIMIT);
	expect(used.length).toBeLessThanOrEqual(WINDOWS + 1);

	const ideal = (WINDOWS - 1) * windowMs;
	const late = Math.round((elapsed - ideal) / (WINDOWS - 1));
	console.log(
		`${CREATES} creates, ${LIMIT} per ${windowMs} ms, ${kind}, reset as ${reset}, ${runs} run(s): ` +
			`0 × 429, ${elapsed} ms = ${(elapsed / ideal).toFixed(2)} × ideal; ` +
			`${late} ms late per window, which at 60 s would be ${(1 + late / 60_000).toFixed(3)} × ideal`,
	);
}

/** Requests per window, a window starting with the first request after the one before. */
function windowsOf(times: number[], windowMs: number): number[] {
	const windows: number[] = [];
	let start = -Infinity;
	for (const at of times) {
		if (at >= start + windowMs) {
			start = at;
			windows.push(0);
		}
		windows.push(windows.pop()! + 1);
	}
	return windows;
}

test('Return All of 2,345 rows at 100 a page takes 24 requests', async () => {
	const { run, requests } = await bench({
		counts: { campaigns: 2345 },
		maxPageSize: 100,
		latencyMs: 50,
	});
	const started = Date.now();
	const { items } = await run({ resource: 'campaign', operation: 'getAll', returnAll: true });
	const elapsed = Date.now() - started;
	expect(items.map(({ json }) => json.id)).toEqual(
		Array.from({ length: 2345 }, (_, index) => 2345 - index),
	);
	expect(requests).toHaveLength(24);
	console.log(`Return All, 2,345 rows, 100 a page, 50 ms latency: 24 requests, ${elapsed} ms`);
});

test('a limit of 120 rows takes two requests of 100', async () => {
	const { run, requests } = await bench({ counts: { campaigns: 2345 }, maxPageSize: 100 });
	const { items } = await run({ resource: 'campaign', operation: 'getAll', limit: 120 });
	expect(items).toHaveLength(120);
	expect(requests).toHaveLength(2);
});

test('500 items over 120 records take 120 requests', async () => {
	const { run, requests } = await bench({ counts: { qrs: 120 } });
	const started = Date.now();
	const { items, error } = await run(
		{
			resource: 'qrCode',
			operation: 'get',
			qrCodeId: { __rl: true, mode: 'id', value: '={{ $json.id }}' },
		},
		{ items: itemsOf(...Array.from({ length: 500 }, (_, index) => ({ id: (index % 120) + 1 }))) },
	);
	const elapsed = Date.now() - started;
	expect(error).toBeUndefined();
	expect(items.map(({ json }) => json.id)).toEqual(
		Array.from({ length: 500 }, (_, index) => (index % 120) + 1),
	);
	expect(pairedWith(items)).toEqual(Array.from({ length: 500 }, (_, index) => index));
	expect(requests).toHaveLength(120);
	console.log(`500 items over 120 records: 120 requests, ${elapsed} ms`);
});
