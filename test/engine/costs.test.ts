import { byId } from './harness';

import type { INodeParameters } from 'n8n-workflow';

import { bench, numbered } from './support';

/**
 * Counts what each item costs, because times differ between machines (docs/maintainers/benchmarks.md has them).
 */

const ITEMS = 5;
const EMAIL = '={{ $json.value }}a@example.com';

/**
 * An ID, a field and an optional field. n8n's routing evaluates every parameter once for each place that
 * mentions it, and twice besides, before the node does, so the node only uses it where it has to.
 */
const FIELDS: Array<[routedTimes: number, parameters: INodeParameters]> = [
	[4, { resource: 'qrCode', operation: 'get', qrCodeId: byId('={{ $json.value }}') }],
	[3, { resource: 'qrCode', operation: 'getAll', limit: '={{ $json.value - 6 }}' }],
	[5, { resource: 'account', operation: 'update', accountFields: { email: EMAIL } }],
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

test.each(FIELDS)(
	'evaluates an expression once per item, and %d times through n8n’s routing: %j',
	async (times, parameters) => {
		expect(await evaluationsPerItem(parameters, false)).toBe(1);
		expect(await evaluationsPerItem(parameters, true)).toBe(times);
	},
);

test('reads the credential once per item and once for the run, however many requests it takes', async () => {
	const { run, credential, requests } = await bench({ counts: { campaigns: 300 } });
	const read = jest.fn(() => credential);
	await run(
		{ resource: 'campaign', operation: 'getAll', returnAll: true },
		{ items: numbered(2), credentials: { linkManagementApi: read } },
	);
	expect(requests.length).toBeGreaterThan(2);
	expect(read).toHaveBeenCalledTimes(3);
});
