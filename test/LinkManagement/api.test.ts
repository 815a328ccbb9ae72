import { accountId, linkManagement, pickQrCode } from '../../nodes/LinkManagement/api';

// test/engine/trigger.test.ts covers what a trigger does if the account changes.
it.each([
	[{ error: 0, data: { id: 5 } }, '5'],
	[{ error: 0, data: { id: 'acc-5' } }, 'acc-5'],
	[{ error: 0, id: 5 }, '5'],
	[{ error: 0, data: { email: 'ana@example.com' } }, undefined],
	[[], undefined],
])('reads from the response %j the account ID %j', async (body, id) => {
	expect(await accountId!({ send: async () => body } as never)).toBe(id);
});

it('a key may send the documented 30 requests per minute until a response says otherwise', () => {
	expect(linkManagement.rate({})).toEqual({ limit: 30, windowMs: 60_000 });
});

it.each([
	[{ error: 0, data: { id: 7, scans: 3 } }],
	[{ error: 0, data: { id: 7, scans: 3 }, stats: { clicks: 1 } }],
	[{ error: 0, qr: { id: 7, scans: 3 }, data: { clicks: 3 } }],
	[{ error: 0, details: { id: 7, scans: 3 }, data: { clicks: 3 } }],
])('finds the QR code in %j', (body) => {
	expect(pickQrCode(body)).toMatchObject({ id: 7, scans: 3 });
});
