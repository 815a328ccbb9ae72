import type { IDataObject, INodeExecutionData } from 'n8n-workflow';

import { fakeService } from '../fakeService';
import { byId, jsonOf } from './harness';
import { bench, itemsOf, pairedWith, runAt } from './linkManagementSupport';

const id = '={{ $json.id }}';
const locator = { __rl: true, mode: 'id', value: id };
const date = expect.stringMatching(/^\d{4}-\d{2}-\d{2}( \d{2}:\d{2}:\d{2})?$/) as string;
const link = expect.stringMatching(/^https:\/\//) as string;
const number = expect.any(Number) as number;
const text = expect.any(String) as string;

const file = (fileName: string): INodeExecutionData['binary'] => ({
	data: { data: 'aGVsbG8=', mimeType: 'text/plain', fileName },
});

describe('lists', () => {
	test('"Return All" brings every row once, in the order of the service', async () => {
		const { run, lines } = await bench();
		const { items } = await run({ resource: 'campaign', operation: 'getAll', returnAll: true });
		expect(jsonOf(items).map((row) => row.id)).toEqual(
			Array.from({ length: 75 }, (_, index) => 75 - index),
		);
		expect(lines()).toHaveLength(2);
	});

	test.each([
		[{ limit: 30, options: { startAtPage: 3 } }, 15, 15],
		[{ returnAll: true, options: { startAtPage: 9 } }, 0, undefined],
	])('"Start at Page" reads from there on: %j', async (parameters, count, firstId) => {
		const { run, requests } = await bench();
		const { items } = await run({ resource: 'campaign', operation: 'getAll', ...parameters });
		expect(items).toHaveLength(count);
		expect(items[0]?.json.id).toBe(firstId);
		expect(requests).toHaveLength(1);
	});

	test('a list from which a row is deleted meanwhile is read again from the service', async () => {
		const rows = Array.from({ length: 250 }, (_, index) => ({ id: index + 1 }));
		const service = await fakeService(({ query, number }) => {
			if (number === 2) rows.splice(3, 1);
			const page = Number(query.get('page'));
			const pixels = rows.slice((page - 1) * 100, page * 100);
			const counters = { result: rows.length, perpage: 100, currentpage: page, maxpage: 3 };
			return { error: 0, data: { ...counters, pixels } };
		});
		const getAll = { resource: 'pixel', operation: 'getAll', returnAll: true };
		const { items } = await runAt(service, getAll);
		expect(jsonOf(items).map(({ id }) => id)).toEqual(
			expect.arrayContaining(rows.map(({ id }) => id)),
		);
	});

	test.each(['mixed', 'name', 'domain'] as const)(
		'a campaign has its name under "name", when the list says %s',
		async (campaignNameKey) => {
			const { run } = await bench({ campaignNameKey });
			const { items } = await run({ resource: 'campaign', operation: 'getAll', returnAll: true });
			for (const { name, domain } of jsonOf(items)) {
				expect(name).toEqual(expect.any(String));
				expect(domain).toBeUndefined();
			}
		},
	);

	test('undocumented fields pass through', async () => {
		const { run, links } = await bench();
		links.inject({
			status: 200,
			body: { error: '0', data: { maxpage: 1, pixels: [{ id: 1, extra: { deep: [null] } }] } },
		});
		const { items } = await run({ resource: 'pixel', operation: 'getAll' });
		expect(jsonOf(items)).toEqual([{ id: 1, extra: { deep: [null] } }]);
	});
});

describe('the single QR code', () => {
	test.each(['data', 'details', 'top'] as const)('is found under %s', async (singleQr) => {
		for (const singleQrNameKey of ['name', 'title'] as const) {
			const { run } = await bench({ singleQr, singleQrNameKey });
			const { items } = await run({ resource: 'qrCode', operation: 'get', qrCodeId: byId(7) });
			expect(jsonOf(items)).toMatchObject([{ id: 7, link, scans: number, name: text, date }]);
			expect(items[0]!.json).not.toHaveProperty('error');
			expect('statistics' in items[0]!.json).toBe(singleQr === 'details');
		}
	});
});

describe('expressions', () => {
	test('may return a record as a number, text or a locator, also one from the list', async () => {
		const { run, lines } = await bench();
		const outcome = await run(
			{ resource: 'qrCode', operation: 'get', qrCodeId: '={{ $json.which }}' },
			{
				items: itemsOf(
					...[5, '6', byId(7), { ...byId(8), mode: 'list' }].map((which) => ({ which })),
				),
			},
		);
		expect(outcome.error).toBeUndefined();
		expect(lines().sort()).toEqual([5, 6, 7, 8].map((which) => `GET /api/qr/${which} 200`));
	});

	test('may return dates: an ISO date with time, and a date object', async () => {
		const { run, requests } = await bench();
		const outcome = await run(
			{
				resource: 'file',
				operation: 'upload',
				binaryPropertyName: 'data',
				fileFields: { expiry: '={{ $json.object ? DateTime.fromISO("2031-05-06") : $json.date }}' },
			},
			{
				items: [{ object: true }, { date: '2030-12-31T00:00:00' }].map((json) => ({
					json: json as IDataObject,
					binary: file('a.txt'),
				})),
			},
		);
		expect(outcome.error).toBeUndefined();
		expect(requests.map(({ query }) => query.expiry).sort()).toEqual(['2030-12-31', '2031-05-06']);
	});
});

describe('identical look-ups', () => {
	const get = { resource: 'qrCode', operation: 'get', qrCodeId: locator };

	test('are sent once for all items that read the same record', async () => {
		const { run, lines } = await bench();
		const { items } = await run(get, {
			items: itemsOf({ id: 1 }, { id: 2 }, { id: 1 }, { id: 1 }),
		});
		expect(lines().sort()).toEqual(['GET /api/qr/1 200', 'GET /api/qr/2 200']);
		expect(jsonOf(items).map((record) => record.id)).toEqual([1, 2, 1, 1]);
		expect(pairedWith(items)).toEqual([0, 1, 2, 3]);
	});

	test('are sent for each item when the option is off', async () => {
		const { run, lines } = await bench();
		await run(
			{ ...get, options: { reuseIdentical: false } },
			{ items: itemsOf({ id: 1 }, { id: 1 }, { id: 1 }) },
		);
		expect(lines()).toHaveLength(3);
	});

	test('do not include writes', async () => {
		const { run, lines } = await bench();
		await run(
			{ resource: 'campaign', operation: 'create', campaignName: 'Same' },
			{ items: itemsOf({}, {}, {}) },
		);
		expect(lines()).toHaveLength(3);
	});
});
