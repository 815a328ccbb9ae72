import { byId, jsonOf } from './harness';

import type { INodeParameters } from 'n8n-workflow';

import { bench, itemsOf, pairedWith } from './linkManagementSupport';

const value = '={{ $json.value }}';
const id = { __rl: true, mode: 'id', value };
const binary = { data: { data: 'YQ==', mimeType: 'text/plain', fileName: 'a.txt' } };

const on = (resource: string, operation: string, more: INodeParameters): INodeParameters => ({
	resource,
	operation,
	...more,
});
const uploadWith = (fileFields: INodeParameters) =>
	on('file', 'upload', { binaryPropertyName: 'data', fileFields });

/** The field, the parameters with it in `$json.value`, values that it rejects, and why. */
type BadInput = [label: string, parameters: INodeParameters, bad: unknown[], why: RegExp];

const NUMBER = /must be a positive whole number, but it is "/;
const URL = /must be a URL that starts with http:\/\/ or https:\/\/, but it is "/;

/** test/shared/node/validators.test.ts has the rules; here is which field follows which. */
const BAD_INPUTS: BadInput[] = [
	[
		'Campaign',
		on('campaign', 'delete', { campaignId: id }),
		['abc', 0, '../1', '1/x', [1]],
		NUMBER,
	],
	['Channel', on('channel', 'getItems', { channelId: id }), [-1, '9007199254740993'], NUMBER],
	['Domain', on('domain', 'delete', { domainId: id }), [1.5], NUMBER],
	['Pixel', on('pixel', 'delete', { pixelId: id }), [true], NUMBER],
	['QR Code', on('qrCode', 'get', { qrCodeId: id }), ['1e3x'], NUMBER],
	['Link ID', on('campaign', 'addLink', { campaignId: byId(1), linkId: value }), ['x', {}], NUMBER],
	['Link ID', on('campaign', 'addLink', { campaignId: byId(1), linkId: id }), [2.5], NUMBER],
	[
		'Item ID',
		on('channel', 'addItem', { channelId: byId(1), itemType: 'links', itemId: value }),
		['x', -3],
		NUMBER,
	],
	[
		'Item Type',
		on('channel', 'addItem', { channelId: byId(1), itemType: value, itemId: '2' }),
		['link', 'LINKS', 'links/1', 7],
		/must be one of bio, links, qr, but it is "/,
	],
	[
		'Type',
		on('pixel', 'create', { type: value, name: 'N', tag: 'T' }),
		['facebook', 3],
		/must be one of .*tiktok, twitterpixel, but it is "/,
	],
	[
		'Color',
		on('channel', 'create', { name: 'N', channelFields: { color: value } }),
		['red', '#fff', 123456],
		/must be a color in the format #RRGGBB, but it is "/,
	],
	...[
		on('channel', 'create', { name: 'N', channelFields: { starred: value } }),
		on('campaign', 'create', { campaignFields: { public: value } }),
	].map((parameters, index): BadInput => {
		const label = ['Starred', 'Public'][index]!;
		return [label, parameters, ['maybe', 2], /must be true or false, but it is "/];
	}),
	['Domain', on('domain', 'create', { domain: value }), ['go.example.com', 'ftp://x.md', 5], URL],
	...['redirectroot', 'redirect404'].map((name, index): BadInput => {
		const parameters = on('domain', 'update', {
			domainId: byId(1),
			domainFields: { [name]: value },
		});
		return [['Root Redirect', '404 Redirect'][index]!, parameters, ['example.com'], URL];
	}),
	[
		'Email',
		on('account', 'update', { accountFields: { email: value } }),
		['nobody'],
		/must be an email address, but it is "/,
	],
	[
		'Limit',
		on('splashPage', 'getAll', { limit: value }),
		[0, 1.5, 'many', null, ''],
		/must be a whole number of at least 1/,
	],
	[
		'Start at Page',
		on('pixel', 'getAll', { options: { startAtPage: value } }),
		[0, 'x'],
		/must be a whole number of at least 1, but it is "/,
	],
	['Name', on('channel', 'create', { name: value }), [{ a: 1 }], /must be text, but it is "/],
	[
		'Download Expiry',
		uploadWith({ expiry: value }),
		['tomorrow', '2030-02-30', 20301231],
		/must be a date in the format YYYY-MM-DD, but it is "|is not a calendar date: 2030-02-30/,
	],
	[
		'Maximum Downloads',
		uploadWith({ maxdownloads: value }),
		[0, 2.5],
		/must be a whole number of at least 1, but it is "/,
	],
	[
		'File Name',
		uploadWith({ fileName: value }),
		['..', 7],
		/must be a file name with its extension, but it is "/,
	],
];

describe('bad input', () => {
	test.each(BAD_INPUTS)(
		'in %s is an error of its item before any request (%j)',
		async (label, parameters, bad, why) => {
			const { run, requests } = await bench();
			const { items, error } = await run(parameters, {
				items: bad.map((each) => ({ json: { value: each as string }, binary })),
				settings: { onError: 'continueRegularOutput' },
			});
			expect(error).toBeUndefined();
			expect(pairedWith(items)).toEqual(bad.map((_, index) => index));
			for (const { error: message } of jsonOf(items)) {
				expect(message).toMatch(new RegExp(`^The parameter "${label}" (${why.source})`));
			}
			expect(requests).toEqual([]);
		},
	);

	test('names the item that has it, not the first one', async () => {
		const { run } = await bench();
		const { error } = await run(on('qrCode', 'get', { qrCodeId: id }), {
			items: itemsOf({ value: 1 }, { value: 2 }, { value: `three${'x'.repeat(5000)}` }),
		});
		expect(error!.message).toMatch(/^The parameter "QR Code" .* it is "threex{35}…" \[item 2\]$/);
		expect(error!.context.itemIndex).toBe(2);
		expect(error!.description).toContain('42');
	});

	test('does not keep the other items from being done, and has its input in an error output', async () => {
		const { run } = await bench();
		const { items, errorItems, error } = await run(on('qrCode', 'get', { qrCodeId: id }), {
			items: itemsOf({ value: 1 }, { value: 'two' }, { value: 3 }, { value: 9999 }),
			settings: { onError: 'continueErrorOutput' },
		});
		expect(error).toBeUndefined();
		expect(pairedWith(items)).toEqual([0, 2]);
		expect(pairedWith(errorItems)).toEqual([1, 3]);
		expect(jsonOf(errorItems)).toEqual([
			{ value: 'two', error: expect.stringContaining('"QR Code" must be a positive whole number') },
			{ value: 9999, error: expect.stringContaining('QR code does not exist') },
		]);
	});

	test.each<[string, INodeParameters]>([
		['account', on('account', 'update', { accountFields: { password: value } })],
		['download', uploadWith({ password: value })],
	])('never quotes the password of an %s', async (_what, parameters) => {
		const { run, requests } = await bench();
		const { error } = await run(parameters, {
			items: [{ json: { value: { hidden: 'hunter2' } }, binary }],
		});
		expect(error!.message).toContain('The parameter "Password" must be text');
		expect(JSON.stringify([error!.message, error!.description])).not.toContain('hunter2');
		expect(requests).toEqual([]);
	});
});

describe('fields that are empty', () => {
	test.each<[string, INodeParameters]>([
		['Name', on('channel', 'create', { name: value })],
		['Name', on('pixel', 'create', { type: 'bing', name: value, tag: 'T' })],
		['Tag', on('pixel', 'create', { type: 'bing', name: 'N', tag: value })],
		['Type', on('pixel', 'create', { type: value, name: 'N', tag: 'T' })],
		['Tag', on('pixel', 'update', { pixelId: byId(1), tag: value })],
		['Name', on('campaign', 'upsert', { campaignName: value })],
		['Name', on('channel', 'upsert', { name: value })],
		['Campaign', on('campaign', 'delete', { campaignId: id })],
		['Link ID', on('campaign', 'addLink', { campaignId: byId(1), linkId: value })],
		['Domain', on('domain', 'create', { domain: value })],
		['Item ID', on('channel', 'addItem', { channelId: byId(1), itemType: 'qr', itemId: value })],
		['Input Binary Field', on('file', 'upload', { binaryPropertyName: value })],
	])('are named before any request if they are required: %s (%j)', async (label, parameters) => {
		const { run, requests } = await bench();
		const { items } = await run(parameters, {
			items: ['', '   ', null, undefined].map((empty) => ({ json: { value: empty }, binary })),
			settings: { onError: 'continueRegularOutput' },
		});
		const message = expect.stringContaining(`The parameter "${label}" is empty`) as string;
		expect(jsonOf(items)).toEqual(Array.from({ length: 4 }, () => ({ error: message })));
		expect(requests).toEqual([]);
	});

	test('are found by the engine itself when they are empty in the editor', async () => {
		const { run, requests } = await bench();
		await expect(run(on('campaign', 'upsert', { campaignName: '' }))).rejects.toThrow(
			'Parameter "Name" is required',
		);
		expect(requests).toEqual([]);
	});

	test.each<[string, INodeParameters]>([
		['account', { accountFields: {} }],
		['account', { accountFields: { email: '' } }],
		['channel', { channelId: byId(1), channelFields: {} }],
		['campaign', { campaignId: byId(1), campaignName: '' }],
		['domain', { domainId: byId(1), domainFields: { redirect404: ' ' } }],
	])('make an update of %s without anything to change an error (%j)', async (resource, more) => {
		const { run, requests } = await bench();
		const { error } = await run(on(resource, 'update', more));
		expect(error!.message).toBe('There is nothing to update [item 0]');
		expect(requests).toEqual([]);
	});

	test.each<[string, INodeParameters, object]>([
		[
			'campaign',
			{ campaignName: value, campaignFields: { slug: '', public: false } },
			{ public: false },
		],
		[
			'campaign',
			{ campaignName: 'Top', campaignFields: { slug: null, public: '' } },
			{ name: 'Top' },
		],
		['campaign', {}, {}],
		['channel', { name: 'N', channelFields: { description: '' } }, { name: 'N' }],
	])('are left out of a new %s if they are optional: %j', async (resource, parameters, body) => {
		const { run, requests } = await bench();
		const { error } = await run(on(resource, 'create', parameters), {
			items: itemsOf({ value: null }),
		});
		expect(error).toBeUndefined();
		expect(requests[0]!.body).toEqual(body);
	});

	test.each<[string, INodeParameters, string, object]>([
		['channel', { channelId: byId(3) }, 'description', { starred: true }],
		['domain', { domainId: byId(3) }, 'redirect404', { redirectroot: 'https://example.com' }],
		['domain', { domainId: byId(3) }, 'redirectroot', { redirect404: 'https://example.com' }],
		['campaign', { campaignId: byId(3), campaignName: 'N' }, 'slug', { public: true }],
	])('clear a text of a %s, %j, %s; null does not', async (resource, record, field, other) => {
		const { run, requests } = await bench();
		const update = { ...record, [`${resource}Fields`]: { [field]: value, ...other } };
		const items = itemsOf({ value: '' }, { value: null });
		const { error } = await run(on(resource, 'update', update), { items });
		expect(error).toBeUndefined();
		const name = resource === 'campaign' && { name: 'N' };
		expect(requests.map(({ body }) => body)).toEqual(
			expect.arrayContaining([
				{ ...name, ...other, [field]: '' },
				{ ...name, ...other },
			]),
		);
	});

	test('clear neither a name nor a color', async () => {
		const { run, requests } = await bench();
		const channelFields = { name: '', color: '', starred: true };
		await run(on('channel', 'update', { channelId: byId(3), channelFields }));
		expect(requests[0]!.body).toEqual({ starred: true });
	});
});

describe('a missing file', () => {
	test('is an error of its item that names the fields with files; the others are uploaded', async () => {
		const { run, lines } = await bench();
		const photo = { json: {}, binary: { photo: binary.data } };
		const { items } = await run(on('file', 'upload', { binaryPropertyName: 'photo' }), {
			items: [photo, { json: {}, binary }, { json: {} }, photo],
			settings: { onError: 'continueRegularOutput' },
		});
		expect(lines()).toHaveLength(2);
		expect(pairedWith(items)).toEqual([0, 1, 2, 3]);
		const errors = jsonOf(items).map(({ error }) => error);
		expect(errors).toEqual([undefined, expect.any(String), expect.any(String), undefined]);
		expect(errors[1]).toContain('photo');
	});
});
