import { byId } from './harness';

import type { INodeParameters, INodeProperties } from 'n8n-workflow';

import { CompanyRegistry } from '../../nodes/CompanyRegistry/CompanyRegistry.node';
import { LinkManagement } from '../../nodes/LinkManagement/LinkManagement.node';
import { bench, numbered } from './support';

/**
 * Counts what each item costs, because times differ between machines (docs/maintainers/benchmarks.md has them).
 */

const ITEMS = 5;

/**
 * n8n's routing evaluates every parameter twice before the node does, so the node only uses it where
 * it has to. With `routing` on a field, there would be four evaluations.
 */
const WAYS = [
	{ way: 'through customOperations', routed: false, expected: 1 },
	{ way: 'through n8n’s routing', routed: true, expected: 3 },
];

const email = '=a{{ $json.value }}@example.com';

/** An ID, a field and an optional field. */
const FIELDS: INodeParameters[] = [
	{ resource: 'qrCode', operation: 'get', qrCodeId: byId('={{ $json.value }}') },
	{ resource: 'qrCode', operation: 'getAll', limit: '={{ $json.value - 6 }}' },
	{ resource: 'account', operation: 'update', accountFields: { email } },
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

test.each(WAYS.flatMap((way) => FIELDS.map((parameters) => ({ ...way, parameters }))))(
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

// `routing` on a field adds two evaluations of its value per item.
test.each<[string, INodeProperties[]]>([
	['Link Management', new LinkManagement().description.properties],
	['Company Registry', new CompanyRegistry().description.properties],
])('%s has n8n’s routing only on Resource, its entry point', (_node, properties) => {
	const fields = properties.flatMap((property) => [
		property,
		...(property.type === 'collection' ? (property.options as INodeProperties[]) : []),
	]);
	expect(fields.filter(({ routing }) => routing).map(({ name }) => name)).toEqual(['resource']);
});
