import { byId, jsonOf } from '../harness';

import { NodeHelpers, type INodeParameters } from 'n8n-workflow';

import { LinkManagement } from '../../../nodes/LinkManagement/LinkManagement.node';

import { CASES } from '../../cases';
import { linesOf } from '../../pairs';
import { bench, continuing, itemsOf, pairedWith } from '../support';

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
const updating = (resource: string, fields: INodeParameters) =>
	on(resource, 'update', { [`${resource}Id`]: byId(1), [`${resource}Fields`]: fields });

const ITEM = { channelId: byId(1), itemType: 'links', itemId: '2' };
const PIXEL = { type: 'bing', name: 'N', tag: 'T' };
const LINK = { campaignId: byId(1), linkId: value };

const ID = 'a positive whole number';
const COUNT = 'a whole number of at least 1';

/** A field, parameters that set it to `$json.value`, values it rejects, and what it must be. */
type BadInput = [label: string, parameters: INodeParameters, bad: unknown[], expected: string];

// test/shared/node/validators.test.ts covers the rules. This table says which field has which rule.
const BAD_INPUTS: BadInput[] = [
	['Campaign', on('campaign', 'delete', { campaignId: id }), ['../1', 0, [1, 2]], ID],
	['Channel', on('channel', 'getItems', { channelId: id }), [-1], ID],
	['Domain', on('domain', 'delete', { domainId: id }), [1.5], ID],
	['Pixel', on('pixel', 'delete', { pixelId: id }), [true], ID],
	['QR Code', on('qrCode', 'get', { qrCodeId: id }), ['1e3x'], ID],
	['Link ID', on('campaign', 'addLink', LINK), ['x', {}], ID],
	['Item ID', on('channel', 'addItem', { ...ITEM, itemId: value }), [-3], ID],
	['Item Type', on('channel', 'addItem', { ...ITEM, itemType: value }), ['LINKS', 7], 'one of bio'],
	['Type', on('pixel', 'create', { ...PIXEL, type: value }), ['facebook', 3], 'one of '],
	['Name', on('channel', 'create', { name: value }), [{ a: 1 }], 'text'],
	['Color', updating('channel', { color: value }), ['red', 123456], 'a color in'],
	['Starred', updating('channel', { starred: value }), ['maybe', 2], 'true or false'],
	[
		'Public',
		{ ...updating('campaign', { public: value }), campaignName: 'N' },
		['maybe', 2],
		'true or false',
	],
	[
		'Rotator Slug',
		{ ...updating('campaign', { slug: value }), campaignName: 'N' },
		['https://go.example/a'],
		'the ending of a link',
	],
	['Domain', on('domain', 'create', { domain: value }), ['go.example.com', 5], 'a URL'],
	['Root Redirect', updating('domain', { redirectroot: value }), ['example.com'], 'a URL'],
	['404 Redirect', updating('domain', { redirect404: value }), ['example.com'], 'a URL'],
	['Email', updating('account', { email: value }), ['nobody'], 'an email address'],
	['Limit', on('pixel', 'getAll', { limit: value }), [0, 1.5, null, ''], COUNT],
	['Custom Alias', uploadWith({ custom: value }), ['go.example://a'], 'the ending of a link'],
	['Download Expiry', uploadWith({ expiry: value }), ['tomorrow', 20301231], 'a date such as'],
	['Maximum Downloads', uploadWith({ maxdownloads: value }), [0, 2.5], COUNT],
	// The message leaves out the value, which is secret.
	['Password', updating('account', { password: value }), [{ hidden: 'x' }], 'text [item 0]. '],
	['Password', uploadWith({ password: value }), [{ hidden: 'x' }], 'text [item 0]. '],
	['File Name', uploadWith({ fileName: value }), ['..', 7], 'a file name with its extension'],
];

const { description } = new LinkManagement();

/** Every required field of every operation. customRequest.test.ts covers those of a custom request. */
const EMPTY_INPUTS = CASES.linkManagement.flatMap((each): BadInput[] => {
	const [resource = '', operation = ''] = each.operation.split('.');
	const required = description.properties.filter((field) => {
		const { resource: resources = [], operation: operations } = field.displayOptions?.show ?? {};
		return field.required && resources.includes(resource) && operations?.includes(operation);
	});
	return required.map(({ name, displayName }) => {
		const emptied = on(resource, operation, { ...each.parameters, [name]: value });
		return [displayName, emptied, ['', '   ', null, undefined], 'is empty'];
	});
});
const isCustom = ([, { resource }]: BadInput) => resource === 'apiRequest';

describe('Invalid input', () => {
	test.each([...BAD_INPUTS, ...EMPTY_INPUTS.filter((each) => !isCustom(each))])(
		'rejects invalid input in %s before sending anything (%j: %j)',
		async (label, parameters, bad, expected) => {
			const { run, requests } = await bench();
			const { items, error } = await run(parameters, {
				items: bad.map((each) => ({ json: { value: each as string }, binary })),
				...continuing,
			});
			expect(error).toBeUndefined();
			expect(pairedWith(items)).toEqual(bad.map((_, index) => index));
			const rule = expected === 'is empty' ? expected : `must be ${expected}`;
			const message = expect.stringContaining(`The parameter "${label}" ${rule}`) as string;
			expect(jsonOf(items)).toEqual(bad.map(() => ({ error: message })));
			expect(requests).toEqual([]);
		},
	);

	test('sends only failed items to the error output', async () => {
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
});

describe('Empty fields', () => {
	test.each(linesOf('empty.txt'))('$section leaves out the empty fields in $left', async (line) => {
		const [resource = '', operation = ''] = line.section.split('.');
		const { run, requests } = await bench();
		const items = [{ json: { value: null }, binary }];
		const parameters = on(resource, operation, JSON.parse(line.left) as INodeParameters);
		const { error } = await run(parameters, { items });
		expect(error).toBeUndefined();
		// The body of an upload is its file.
		const body = operation === 'upload' ? undefined : (JSON.parse(line.right) as object);
		expect(requests.map((request) => [request.query, request.body])).toEqual([[{}, body]]);
	});

	test.each<[string, INodeParameters, string, object]>([
		['channel', { channelId: byId(3) }, 'description', { starred: true }],
		['domain', { domainId: byId(3) }, 'redirect404', { redirectroot: 'https://example.com' }],
		['domain', { domainId: byId(3) }, 'redirectroot', { redirect404: 'https://example.com' }],
	])(
		'an update of the %s in %j clears "%s" if the value is empty, but not if it’s null',
		async (resource, record, field, other) => {
			const { run, requests } = await bench();
			const update = { ...record, [`${resource}Fields`]: { [field]: value, ...other } };
			const items = itemsOf({ value: '' }, { value: null });
			const { error } = await run(on(resource, 'update', update), { items });
			expect(error).toBeUndefined();
			expect(requests.map(({ body }) => body)).toEqual(
				expect.arrayContaining([{ ...other, [field]: '' }, other]),
			);
		},
	);

	test('an update saved in the editor clears no field that was left alone', async () => {
		const { run, requests } = await bench();
		const saved = (parameters: INodeParameters) =>
			[true, false, true, false].reduce(
				(from, defaults) =>
					NodeHelpers.getNodeParameters(
						description.properties,
						from,
						defaults,
						false,
						null,
						description,
					)!,
				parameters,
			);
		const update = { campaignId: byId(3), campaignName: 'N' };
		const { error } = await run(saved(on('campaign', 'update', update)));
		expect(error).toBeUndefined();
		expect(requests.map(({ body }) => body)).toEqual([{ name: 'N' }]);
	});
});
