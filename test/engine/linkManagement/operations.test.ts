import { byId } from '../harness';
import { bench, itemsOf } from '../support';

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
