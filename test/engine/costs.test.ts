import { byId } from './harness';

import { ExecuteContext } from 'n8n-core';
import type { INodeParameters, INodeProperties } from 'n8n-workflow';
import { WorkflowExpression } from 'n8n-workflow';

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

async function evaluationsPerItem(parameters: INodeParameters, routed: boolean): Promise<number> {
	const { run } = await bench();
	const spy = jest.spyOn(WorkflowExpression.prototype, 'resolveSimpleParameterValue');
	try {
		const { items } = await run(parameters, { items: numbered(ITEMS), routed });
		expect(items).toHaveLength(ITEMS);
		const values: unknown[] = spy.mock.calls.map(([value]) => value);
		return values.filter((value) => typeof value === 'string' && value[0] === '=').length / ITEMS;
	} finally {
		spy.mockRestore();
	}
}

describe.each(WAYS)('expressions evaluated per item $way', ({ routed, expected }) => {
	const each: INodeParameters = { options: { reuseIdentical: false } };

	test('evaluates nothing without an expression', async () => {
		const get = { resource: 'qrCode', operation: 'get', qrCodeId: byId(7), ...each };
		expect(await evaluationsPerItem(get, routed)).toBe(0);
	});

	test.each<[string, INodeParameters]>([
		['an id', { resource: 'qrCode', operation: 'get', qrCodeId: byId('={{ $json.id }}') }],
		['a field', { resource: 'qrCode', operation: 'getAll', limit: '={{ 1 }}' }],
		[
			'an optional field',
			{
				resource: 'account',
				operation: 'update',
				accountFields: { email: '=a{{ $json.id }}@example.com' },
			},
		],
	])(`are ${expected} for one in %s`, async (_name, parameters) => {
		expect(await evaluationsPerItem(parameters, routed)).toBe(expected);
	});
});

/** What n8n's contexts call for every parameter that a node asks for. */
interface Asked {
	_getNodeParameter(name: string): unknown;
}

describe('parameters without an expression', () => {
	test('reads parameters without an expression once per run, not once per item', async () => {
		const { run } = await bench();
		const spy = jest.spyOn(ExecuteContext.prototype as unknown as Asked, '_getNodeParameter');
		try {
			await run(
				{ resource: 'qrCode', operation: 'get', qrCodeId: byId('={{ $json.id }}'), options: {} },
				{ items: numbered(ITEMS) },
			);
			const asked = (name: string) => spy.mock.calls.filter(([each]) => each === name).length;
			expect(asked('options')).toBe(1);
			expect(asked('qrCodeId')).toBe(ITEMS);
		} finally {
			spy.mockRestore();
		}
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
