import { fakeService } from '../../fakeService';
import { byId, jsonOf } from '../harness';
import { bench, itemsOf, listOf, runAt } from '../support';

const text = expect.any(String) as string;

test('returns a campaign’s name as "name", and keeps a domain that comes in addition', async () => {
	const rows = [
		{ id: 1, domain: 'A' },
		{ id: 2, name: null, domain: 'A' },
		{ id: 3, name: 'B', domain: 'go.example.com' },
	];
	const service = await fakeService(() => listOf('campaign', rows));
	const { items } = await runAt(service, { resource: 'campaign', operation: 'getAll' });
	expect(jsonOf(items)).toEqual([{ id: 1, name: 'A' }, { id: 2, name: 'A' }, rows[2]]);
});

test('returns a single QR code with its statistics', async () => {
	const details = { id: 7, link: 'https://lnk.example/qr/7', scans: 3, title: 'Menu' };
	const service = await fakeService(() => ({ error: 0, details, data: { clicks: 3 } }));
	const get = { resource: 'qrCode', operation: 'get', qrCodeId: byId(7) };
	const { items } = await runAt(service, get);
	expect(jsonOf(items)).toMatchObject([{ id: 7, name: text, statistics: expect.anything() }]);
	expect(items[0]!.json).not.toHaveProperty('error');
});

test.each([null, '3', 4])(
	'an update returns the ID of the updated record, even if the service returns %p',
	async (id) => {
		const service = await fakeService(() => ({ error: 0, id, message: 'Updated' }));
		const update = { resource: 'channel', operation: 'update', channelId: byId(3) };
		const { items } = await runAt(service, { ...update, channelFields: { starred: true } });
		expect(jsonOf(items)).toEqual([{ id: 3, message: 'Updated' }]);
	},
);

describe('Expressions', () => {
	test('an expression can return a record’s ID as a number, text, list of one or resource locator', async () => {
		const { run, lines } = await bench();
		const get = { resource: 'qrCode', operation: 'get', qrCodeId: '={{ $json.which }}' };
		const ids = [5, '6', byId(7), { ...byId(8), mode: 'list' }, { ...byId(9), value: [9] }];
		const { error } = await run(get, { items: itemsOf(...ids.map((which) => ({ which }))) });
		expect(error).toBeUndefined();
		expect(lines().sort()).toEqual([5, 6, 7, 8, 9].map((which) => `GET /api/qr/${which} 200`));
	});

	test('an expression can return a Luxon date', async () => {
		const { run, requests } = await bench();
		const expiry = '={{ DateTime.fromISO("2031-05-06") }}';
		const upload = { resource: 'file', operation: 'upload', binaryPropertyName: 'data' };
		const { error } = await run(
			{ ...upload, fileFields: { expiry } },
			{ items: [{ json: {}, binary: { data: { data: 'YQ==', mimeType: 'text/plain' } } }] },
		);
		expect(error).toBeUndefined();
		expect(requests.map(({ query }) => query.expiry)).toEqual(['2031-05-06']);
	});
});
