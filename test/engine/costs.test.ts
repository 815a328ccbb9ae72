import { byId } from './harness';

import type { INodeParameters, INodeProperties } from 'n8n-workflow';

import { CompanyRegistry } from '../../nodes/CompanyRegistry/CompanyRegistry.node';
import { LinkManagement } from '../../nodes/LinkManagement/LinkManagement.node';
import { bench, numbered } from './support';

/**
 * What an item costs, in counts: times differ from machine to machine. bench/README.md has the
 * times that follow from them.
 */

const ITEMS = 5;

/**
 * n8n's routing evaluates every parameter twice before the node does, so the node goes that way
 * only where it must. With n8n's `routing` on a field it would be four times.
 */
const WAYS = [
	{ way: 'in the node’s own pass', routed: false, expected: 1 },
	{ way: 'through n8n’s routing', routed: true, expected: 3 },
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
	const { items: output } = await run(
		{ ...parameters, options: { reuseIdentical: false } },
		{ items, routed },
	);
	expect(output).toHaveLength(ITEMS);
	return reads / ITEMS;
}

describe.each(WAYS)('expressions evaluated per item $way', ({ routed, expected }) => {
	test.each<[string, INodeParameters]>([
		['an id', { resource: 'qrCode', operation: 'get', qrCodeId: byId('={{ $json.value }}') }],
		['a field', { resource: 'qrCode', operation: 'getAll', limit: '={{ $json.value - 6 }}' }],
		[
			'an optional field',
			{
				resource: 'account',
				operation: 'update',
				accountFields: { email: '=a{{ $json.value }}@example.com' },
			},
		],
	])(`are ${expected} for one in %s`, async (_name, parameters) => {
		expect(await evaluationsPerItem(parameters, routed)).toBe(expected);
	});
});

describe('credentials', () => {
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
});

describe('properties', () => {
	// Each name once, too: test/contract.
	// `routing` on a field adds two evaluations of its value per item.
	test.each<[string, INodeProperties[]]>([
		['Link Management', new LinkManagement().description.properties],
		['Company Registry', new CompanyRegistry().description.properties],
	])('%s has no routing on a field but that of its entry point', (_node, properties) => {
		const fields = properties.flatMap((property) =>
			property.type === 'collection'
				? [property, ...((property.options ?? []) as INodeProperties[])]
				: [property],
		);
		expect(fields.filter(({ routing }) => routing).map(({ name }) => name)).toEqual(['resource']);
	});
});
