import { byId } from './harness';

import type { INodeParameters } from 'n8n-workflow';

import { bench, numbered } from './support';

/**
 * Counts what each item costs, because times differ between machines (docs/maintainers/benchmarks.md has them).
 */

const ITEMS = 5;

/**
 * n8n's routing evaluates every parameter once for each place that mentions it, and twice besides, before the
 * node does, so the node only uses it where it has to.
 */
const WAYS = [
	{ way: 'through customOperations', routed: false },
	{ way: 'through n8n’s routing', routed: true },
];

/** An ID, a field and an optional field. */
const FIELDS: Array<[parameters: INodeParameters, routedTimes: number]> = [
	[{ resource: 'qrCode', operation: 'get', qrCodeId: byId('={{ $json.value }}') }, 4],
	[{ resource: 'qrCode', operation: 'getAll', limit: '={{ $json.value - 6 }}' }, 3],
	[
		{
			resource: 'account',
			operation: 'update',
			accountFields: { email: '={{ $json.value }}a@example.com' },
		},
		5,
	],
];

/** How often an expression that reads the item's `value` is evaluated. */
async function evaluationsPerItem(parameters: INodeParameters, routed: boolean): Promise<number> {
	const { run } = await bench();
	let reads = 0;
	const items = numbered(ITEMS).map(() => ({
		json: {
			get value() {
				reads++;
				return 7;
			},
		},
	}));
	const { items: output } = await run(parameters, { items, routed });
	expect(output).toHaveLength(ITEMS);
	return reads / ITEMS;
}

const costs = WAYS.flatMap((way) =>
	FIELDS.map(([parameters, times]) => ({ ...way, parameters, expected: way.routed ? times : 1 })),
);

test.each(costs)(
	'evaluates an expression $expected× per item $way: $parameters',
	async ({ routed, expected, parameters }) => {
		expect(await evaluationsPerItem(parameters, routed)).toBe(expected);
	},
);

test('reads the credential once per item, however many requests it takes', async () => {
	const { run, credential, requests } = await bench({ counts: { campaigns: 300 } });
	const read = jest.fn(() => credential);
	await run(
		{ resource: 'campaign', operation: 'getAll', returnAll: true },
		{ items: numbered(2), credentials: { linkManagementApi: read } },
	);
	expect(requests.length).toBeGreaterThan(2);
	expect(read).toHaveBeenCalledTimes(2);
});
