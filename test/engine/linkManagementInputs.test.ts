import { byId, jsonOf } from './harness';

import type { INodeParameters } from 'n8n-workflow';

import { bench, itemsOf, pairedWith } from './linkManagementSupport';

const id = { __rl: true, mode: 'id', value: '={{ $json.value }}' };
const value = '={{ $json.value }}';

/** What is wrong, the parameters with the bad value in `$json.value`, bad values, and the message. */
interface BadInput {
	what: string;
	parameters: INodeParameters;
	bad: unknown[];
	good: unknown;
	message: RegExp;
}

const ID_MESSAGE = (label: string) =>
	new RegExp(`^The parameter "${label}" must be a positive whole number, but it is "`);

const badInputs: BadInput[] = [
	...[
		{ label: 'Campaign', resource: 'campaign', operation: 'delete', name: 'campaignId' },
		{ label: 'Channel', resource: 'channel', operation: 'getItems', name: 'channelId' },
		{ label: 'Domain', resource: 'domain', operation: 'delete', name: 'domainId' },
		{ label: 'Pixel', resource: 'pixel', operation: 'delete', name: 'pixelId' },
		{ label: 'QR Code', resource: 'qrCode', operation: 'get', name: 'qrCodeId' },
	].map(({ label, resource, operation, name }) => ({
		what: `an id of ${resource}`,
		parameters: { resource, operation, [name]: id },
		bad: ['abc', 0, -1, 1.5, '1e3x', '../1', '1/delete', '9007199254740993', true, [1]],
		good: ' 1 ',
		message: ID_MESSAGE(label),
	})),
	{
		what: 'the id of a link',
		parameters: { resource: 'campaign', operation: 'addLink', campaignId: byId(1), linkId: value },
		bad: ['x', 0, 2.5, {}],
		good: '2',
		message: ID_MESSAGE('Link ID'),
	},
	{
		what: 'the id of an item',
		parameters: {
			resource: 'channel',
			operation: 'addItem',
			channelId: byId(1),
			itemType: 'links',
			itemId: value,
		},
		bad: ['x', -3],
		good: 2,
		message: ID_MESSAGE('Item ID'),
	},
	{
		what: 'the type of an item',
		parameters: {
			resource: 'channel',
			operation: 'addItem',
			channelId: byId(1),
			itemType: value,
			itemId: '2',
		},
		bad: ['link', 'LINKS', 'links/1', 7],
		good: 'bio',
		message: /^The parameter "Item Type" must be one of bio, links, qr, but it is "/,
	},
	{
		what: 'a pixel type',
		parameters: { resource: 'pixel', operation: 'create', type: value, name: 'N', tag: 'T' },
		bad: ['facebook', 'FBPIXEL', 3],
		good: 'fbpixel',
		message: /^The parameter "Type" must be one of .*tiktok, twitterpixel, but it is "/,
	},
	{
		what: 'a color',
		parameters: {
			resource: 'channel',
			operation: 'create',
			name: 'N',
			channelFields: { color: value },
		},
		bad: ['red', '#fff', '3B82F6', '#3B82F6FF', '#GGGGGG', 123456],
		good: '#3b82F6',
		message: /^The parameter "Color" must be a color in the format #RRGGBB, but it is "/,
	},
	{
		what: 'a switch',
		parameters: {
			resource: 'channel',
			operation: 'create',
			name: 'N',
			channelFields: { starred: value },
		},
		bad: ['maybe', 2, 'yes'],
		good: true,
		message: /^The parameter "Starred" must be true or false, but it is "/,
	},
	{
		what: 'a domain',
		parameters: { resource: 'domain', operation: 'create', domain: value },
		bad: ['go.example.com', 'ftp://go.example.com', 'https://', 'https:// x', 'javascript:1', 5],
		good: 'https://new.example.com',
		message:
			/^The parameter "Domain" must be a URL that starts with http:\/\/ or https:\/\/, but it is "/,
	},
	...['redirectroot', 'redirect404'].map((name) => ({
		what: `a URL in ${name}`,
		parameters: {
			resource: 'domain',
			operation: 'update',
			domainId: byId(1),
			domainFields: { [name]: value },
		},
		bad: ['example.com', '//example.com', 'mailto:a@example.com'],
		good: 'https://example.com/%20?x#y',
		message: /^The parameter "(Root|404) Redirect" must be a URL that starts with http/,
	})),
	{
		what: 'an email address',
		parameters: { resource: 'account', operation: 'update', accountFields: { email: value } },
		bad: ['nobody', 'a@b', 'a b@example.com', 4],
		good: 'a@example.com',
		message: /^The parameter "Email" must be an email address, but it is "/,
	},
	{
		what: 'a limit',
		parameters: { resource: 'splashPage', operation: 'getAll', returnAll: false, limit: value },
		bad: [0, -5, 1.5, 'many', null, ''],
		good: '3',
		message: /^The parameter "Limit" must be a whole number of at least 1/,
	},
	{
		what: 'text where there is an object',
		parameters: { resource: 'channel', operation: 'create', name: value },
		bad: [{ a: 1 }, ['x']],
		good: 'N',
		message: /^The parameter "Name" must be text, but it is "/,
	},
];

const uploadInputs: BadInput[] = [
	{
		what: 'a date',
		parameters: { fileFields: { expiry: value } },
		bad: ['tomorrow', '31.12.2030', '2030-02-30', '2030-13-01', '2030-1-1', 20301231],
		good: '2030-12-31',
		message:
			/^The parameter "Download Expiry" (must be a date in the format YYYY-MM-DD, but it is "|is not a calendar date: 2030-)/,
	},
	{
		what: 'a number of downloads',
		parameters: { fileFields: { maxdownloads: value } },
		bad: [0, -1, 2.5, 'x'],
		good: '5',
		message: /^The parameter "Maximum Downloads" must be a whole number of at least 1, but it is "/,
	},
	{
		what: 'a file name',
		parameters: { fileFields: { fileName: value } },
		bad: ['.', '..', 'a\nb.txt', 7],
		good: 'a.txt',
		message: /^The parameter "File Name" must be a file name with its extension, but it is "/,
	},
].map((input) => ({
	...input,
	parameters: {
		resource: 'file',
		operation: 'upload',
		binaryPropertyName: 'data',
		...input.parameters,
	},
}));

const binary = { data: { data: 'YQ==', mimeType: 'text/plain', fileName: 'a.txt' } };

describe('bad input', () => {
	test.each([...badInputs, ...uploadInputs])(
		'is an error before any request: $what',
		async ({ parameters, bad, message }) => {
			const { run, requests } = await bench();
			for (const entry of bad) {
				const { error } = await run(parameters, {
					items: [{ json: { value: entry as string }, binary }],
				});
				expect({ entry, message: error?.message }).toEqual({
					entry,
					message: expect.stringMatching(message),
				});
				expect(error!.message).toMatch(/ \[item 0\]$/);
				expect(error!.context.itemIndex).toBe(0);
			}
			expect(requests).toEqual([]);
		},
	);

	test.each([...badInputs, ...uploadInputs])(
		'is one paired error item with "continue", and the other items are done: $what',
		async ({ parameters, bad, good, message }) => {
			const { run, requests } = await bench();
			const { items, error } = await run(parameters, {
				items: [good, bad[0], good].map((entry) => ({
					json: { value: entry as string },
					binary,
				})),
				settings: { onError: 'continueRegularOutput' },
			});
			expect(error).toBeUndefined();
			const failed = items.filter(({ json }) => json.error !== undefined);
			expect(pairedWith(failed.filter((item) => message.test(String(item.json.error))))).toEqual([
				1,
			]);
			expect(requests.length).toBeGreaterThan(0);
			expect(new Set(pairedWith(items))).toEqual(new Set([0, 1, 2]));
		},
	);

	test('names the item that has it, not the first one', async () => {
		const { run } = await bench();
		const { error } = await run(
			{ resource: 'qrCode', operation: 'get', qrCodeId: id },
			{ items: itemsOf({ value: 1 }, { value: 2 }, { value: 'three' }) },
		);
		expect(error!.message).toBe(
			'The parameter "QR Code" must be a positive whole number, but it is "three" [item 2]',
		);
		expect(error!.context.itemIndex).toBe(2);
		expect(error!.description).toContain('42');
	});

	test('is truncated in the message when it is long', async () => {
		const { run } = await bench();
		const { error } = await run(
			{ resource: 'qrCode', operation: 'get', qrCodeId: id },
			{ items: itemsOf({ value: 'x'.repeat(5000) }) },
		);
		expect(error!.message.length).toBeLessThan(200);
	});

	test.each<[string, INodeParameters]>([
		['account', { resource: 'account', operation: 'update', accountFields: { password: value } }],
		['download', { resource: 'file', operation: 'upload', fileFields: { password: value } }],
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

describe('required fields that are empty', () => {
	test.each([
		['Name', { resource: 'channel', operation: 'create', name: value }],
		['Name', { resource: 'pixel', operation: 'create', type: 'bing', name: value, tag: 'T' }],
		['Tag', { resource: 'pixel', operation: 'create', type: 'bing', name: 'N', tag: value }],
		['Type', { resource: 'pixel', operation: 'create', type: value, name: 'N', tag: 'T' }],
		['Tag', { resource: 'pixel', operation: 'update', pixelId: byId(1), tag: value }],
		['Name', { resource: 'campaign', operation: 'upsert', campaignName: value }],
		['Name', { resource: 'channel', operation: 'upsert', name: value }],
		['Campaign', { resource: 'campaign', operation: 'delete', campaignId: id }],
		['Link ID', { resource: 'campaign', operation: 'addLink', campaignId: byId(1), linkId: value }],
		['Domain', { resource: 'domain', operation: 'create', domain: value }],
		[
			'Item ID',
			{
				resource: 'channel',
				operation: 'addItem',
				channelId: byId(1),
				itemType: 'qr',
				itemId: value,
			},
		],
		['Input Binary Field', { resource: 'file', operation: 'upload', binaryPropertyName: value }],
	])('"%s" is named before any request', async (label, parameters: INodeParameters) => {
		const { run, requests } = await bench();
		for (const empty of ['', '   ', null, undefined]) {
			const { error } = await run(parameters, { items: [{ json: { value: empty }, binary }] });
			expect({ empty, message: error?.message }).toEqual({
				empty,
				message: `The parameter "${label}" is empty [item 0]`,
			});
		}
		expect(requests).toEqual([]);
	});

	test('are found by the engine itself when they are empty in the editor', async () => {
		const { run, requests } = await bench();
		await expect(run({ resource: 'channel', operation: 'create', name: '' })).rejects.toThrow(
			'Parameter "Name" is required',
		);
		expect(requests).toEqual([]);
	});

	test.each([
		['account', { accountFields: {} }],
		['account', { accountFields: { email: '' } }],
		['channel', { channelId: byId(1), channelFields: {} }],
		['campaign', { campaignId: byId(1), campaignName: '' }],
		['domain', { domainId: byId(1), domainFields: { redirect404: ' ' } }],
	])('an update of %s without anything to change is an error', async (resource, more) => {
		const { run, requests } = await bench();
		const { error } = await run({ resource, operation: 'update', ...(more as INodeParameters) });
		expect(error!.message).toBe('There is nothing to update [item 0]');
		expect(requests).toEqual([]);
	});

	test('optional ones that are empty are left out', async () => {
		const { run, requests } = await bench();
		await run(
			{
				resource: 'campaign',
				operation: 'create',
				campaignFields: { name: value, slug: '', public: false },
			},
			{ items: itemsOf({ value: null }) },
		);
		expect(requests[0]!.body).toEqual({ public: false });
	});
});

describe('a missing file', () => {
	const parameters = { resource: 'file', operation: 'upload', binaryPropertyName: 'photo' };

	test('is an error that names the field and the item, before any request', async () => {
		const { run, requests } = await bench();
		const photo = { photo: binary.data };
		const { error } = await run(parameters, {
			items: [{ json: {}, binary: photo }, { json: {}, binary }, { json: {} }],
		});
		expect(error!.message).toBe(
			'The parameter "Input Binary Field" is "photo", but the item has no file in that field [item 1]',
		);
		expect(error!.context.itemIndex).toBe(1);
		expect(requests.length).toBeLessThanOrEqual(1);
	});

	test('does not keep the other items from being uploaded with "continue"', async () => {
		const { run, lines } = await bench();
		const { items } = await run(parameters, {
			items: [
				{ json: {}, binary: { photo: binary.data } },
				{ json: {} },
				{ json: {}, binary: { photo: binary.data } },
			],
			settings: { onError: 'continueRegularOutput' },
		});
		expect(lines()).toHaveLength(2);
		expect(pairedWith(items)).toEqual([0, 1, 2]);
		expect(jsonOf(items).map((json) => 'error' in json)).toEqual([false, true, false]);
	});
});

describe('an error output', () => {
	test('gets the failed items, paired and with their input beside the error', async () => {
		const { run } = await bench();
		const { items, errorItems, error } = await run(
			{ resource: 'qrCode', operation: 'get', qrCodeId: id },
			{
				items: itemsOf({ value: 1 }, { value: 'two' }, { value: 3 }, { value: 9999 }),
				settings: { onError: 'continueErrorOutput' },
			},
		);
		expect(error).toBeUndefined();
		expect(pairedWith(items)).toEqual([0, 2]);
		expect(pairedWith(errorItems)).toEqual([1, 3]);
		expect(jsonOf(errorItems)).toEqual([
			{ value: 'two', error: expect.stringContaining('"QR Code" must be a positive whole number') },
			{ value: 9999, error: expect.stringContaining('QR code does not exist') },
		]);
	});
});
