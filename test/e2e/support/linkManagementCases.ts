import { createHash } from 'node:crypto';
import type { IDataObject } from 'n8n-workflow';
import type { ListName, Sandbox } from '../../../sandbox';
import { byId, type OperationCase } from './operationCase';

const FILE_TEXT = 'Invoice of January';

/** Items are sent side by side, so which of them gets which new id is open. */
const newId = expect.any(Number) as unknown as number;

/** Every operation of Link Management, with two items each so that pairing shows. */
export const linkManagementCases: OperationCase[] = [
	{
		resource: 'account',
		operation: 'get',
		rows: [{}, {}],
		parameters: {},
		expected: ({ links }) => {
			const { id, email, status } = links.state.account;
			return [[{ id, email, status }], [{ id, email, status }]];
		},
	},
	{
		resource: 'account',
		operation: 'update',
		rows: [{ email: 'new@link-company.example' }],
		parameters: { accountFields: { email: '={{ $json.email }}' } },
		expected: () => [[{ message: 'Account has been successfully updated' }]],
		after: ({ links }) => expect(links.state.account.email).toBe('new@link-company.example'),
	},
	{
		resource: 'campaign',
		operation: 'addLink',
		rows: [
			{ campaign: 3, link: 7 },
			{ campaign: 4, link: 8 },
		],
		parameters: { campaignId: byId('campaign'), linkId: '={{ $json.link }}' },
		expected: () => [[{ campaignId: 3, linkId: 7 }], [{ campaignId: 4, linkId: 8 }]],
		after: ({ links }) => {
			expect([7, 8].map((id) => links.state.links.get(id)?.campaignId)).toEqual([3, 4]);
		},
	},
	{
		resource: 'campaign',
		operation: 'create',
		rows: [{ name: 'Spring' }, { name: 'Autumn' }],
		parameters: { campaignFields: { name: '={{ $json.name }}', public: true } },
		expected: () => [
			[{ id: newId, name: 'Spring', public: true }],
			[{ id: newId, name: 'Autumn', public: true }],
		],
		after: ({ links }) => {
			expect(namesOf(links.state.campaigns.slice('newest-first', 0, 2))).toEqual([
				'Autumn',
				'Spring',
			]);
		},
	},
	{
		resource: 'campaign',
		operation: 'delete',
		rows: [{ id: 5 }, { id: 6 }],
		parameters: { campaignId: byId('id') },
		expected: () => [[{ deleted: true, id: 5 }], [{ deleted: true, id: 6 }]],
		after: ({ links }) => {
			expect([5, 6].map((id) => links.state.campaigns.has(id))).toEqual([false, false]);
		},
	},
	getMany('campaign', 'campaigns'),
	{
		resource: 'campaign',
		operation: 'update',
		rows: [
			{ id: 9, name: 'Ninth' },
			{ id: 8, name: 'Eighth' },
		],
		parameters: {
			campaignId: byId('id'),
			campaignName: '={{ $json.name }}',
			campaignFields: { slug: '=slug-{{ $json.id }}' },
		},
		expected: () => [[{ id: 9, name: 'Ninth' }], [{ id: 8, name: 'Eighth' }]],
		after: ({ links }) => {
			expect(links.state.campaigns.get(8)).toMatchObject({ name: 'Eighth', slug: 'slug-8' });
		},
	},
	{
		resource: 'channel',
		operation: 'addItem',
		rows: [{ item: 11 }, { item: 12 }],
		parameters: { channelId: { __rl: true, mode: 'id', value: '2' }, itemId: '={{ $json.item }}' },
		expected: () => [11, 12].map((itemId) => [{ channelId: 2, itemType: 'links', itemId }]),
		after: ({ links }) => {
			expect(links.state.channelItems(2).map(({ id }) => id)).toEqual([11, 12]);
		},
	},
	{
		resource: 'channel',
		operation: 'create',
		rows: [{ name: 'Press' }, { name: 'Shop' }],
		parameters: { name: '={{ $json.name }}', channelFields: { color: '#1A2B3C', starred: true } },
		expected: () => [
			[{ id: newId, name: 'Press', color: '#1A2B3C', starred: true }],
			[{ id: newId, name: 'Shop', color: '#1A2B3C', starred: true }],
		],
	},
	{
		resource: 'channel',
		operation: 'delete',
		rows: [{ id: 5 }, { id: 6 }],
		parameters: { channelId: byId('id') },
		expected: () => [[{ deleted: true, id: 5 }], [{ deleted: true, id: 6 }]],
		after: ({ links }) => expect(links.state.channels.has(5)).toBe(false),
	},
	getMany('channel', 'channels'),
	{
		resource: 'channel',
		operation: 'getItems',
		rows: [{ id: 1 }],
		parameters: { channelId: byId('id'), returnAll: true },
		expected: ({ links }) => {
			const items = links.state.channelItems(1).reverse();
			return [items.map(({ type, id, title }) => ({ type, id, title }))];
		},
	},
	{
		resource: 'channel',
		operation: 'update',
		rows: [{ id: 3 }, { id: 4 }],
		parameters: { channelId: byId('id'), channelFields: { description: '=About {{ $json.id }}' } },
		expected: () => [[{ id: 3 }], [{ id: 4 }]],
		after: ({ links }) => expect(links.state.channels.get(4)?.description).toBe('About 4'),
	},
	getMany('ctaOverlay', 'overlays'),
	{
		resource: 'domain',
		operation: 'create',
		rows: [{ domain: 'https://go.first.example' }, { domain: 'https://go.second.example' }],
		parameters: {
			domain: '={{ $json.domain }}',
			domainFields: { redirectroot: 'https://www.link-company.example' },
		},
		expected: () => [[{ id: newId }], [{ id: newId }]],
		after: ({ links }) => {
			expect(links.state.domains.slice('newest-first', 0, 2)).toContainEqual(
				expect.objectContaining({
					domain: 'https://go.second.example',
					redirectroot: 'https://www.link-company.example',
				}),
			);
		},
	},
	{
		resource: 'domain',
		operation: 'delete',
		rows: [{ id: 5 }, { id: 6 }],
		parameters: { domainId: byId('id') },
		expected: () => [[{ deleted: true, id: 5 }], [{ deleted: true, id: 6 }]],
		after: ({ links }) => expect(links.state.domains.has(6)).toBe(false),
	},
	getMany('domain', 'domains'),
	{
		resource: 'domain',
		operation: 'update',
		rows: [{ id: 3 }, { id: 4 }],
		parameters: {
			domainId: byId('id'),
			domainFields: { redirect404: '=https://www.link-company.example/{{ $json.id }}' },
		},
		expected: () => [[{ id: 3 }], [{ id: 4 }]],
		after: ({ links }) => {
			expect(links.state.domains.get(4)?.redirect404).toBe('https://www.link-company.example/4');
		},
	},
	getMany('file', 'files'),
	{
		resource: 'file',
		operation: 'upload',
		rows: [
			{ content: FILE_TEXT, alias: 'first-invoice' },
			{ content: FILE_TEXT, alias: 'second-invoice' },
		],
		before: {
			name: 'File',
			type: 'n8n-nodes-base.convertToFile',
			typeVersion: 1.1,
			parameters: {
				operation: 'toText',
				sourceProperty: 'content',
				options: { fileName: 'invoice.txt' },
			},
		},
		parameters: {
			fileFields: { custom: "={{ $('Rows').item.json.alias }}", expiry: '2031-02-03' },
		},
		expected: () => [
			[{ id: newId, shorturl: 'https://lnk.example/first-invoice' }],
			[{ id: newId, shorturl: 'https://lnk.example/second-invoice' }],
		],
		after: ({ links }) => {
			const uploads = links.state.files.slice('newest-first', 0, 2).map(({ upload }) => upload);
			expect(uploads).toEqual(
				Array(2).fill(
					expect.objectContaining({
						filename: 'invoice.txt',
						expiry: '2031-02-03',
						sha256: createHash('sha256').update(FILE_TEXT).digest('hex'),
					}),
				),
			);
		},
	},
	{
		resource: 'pixel',
		operation: 'create',
		rows: [{ tag: 'GTM-1' }, { tag: 'GTM-2' }],
		parameters: { type: 'gtmpixel', name: '=Shop {{ $json.tag }}', tag: '={{ $json.tag }}' },
		expected: () => [[{ id: newId }], [{ id: newId }]],
		after: ({ links }) => {
			expect(namesOf(links.state.pixels.slice('newest-first', 0, 2))).toEqual([
				'Shop GTM-1',
				'Shop GTM-2',
			]);
		},
	},
	{
		resource: 'pixel',
		operation: 'delete',
		rows: [{ id: 5 }, { id: 6 }],
		parameters: { pixelId: byId('id') },
		expected: () => [[{ deleted: true, id: 5 }], [{ deleted: true, id: 6 }]],
		after: ({ links }) => expect(links.state.pixels.has(6)).toBe(false),
	},
	getMany('pixel', 'pixels'),
	{
		resource: 'pixel',
		operation: 'update',
		rows: [{ id: 3 }, { id: 4 }],
		parameters: { pixelId: byId('id'), tag: '=TAG-{{ $json.id }}' },
		expected: () => [[{ id: 3 }], [{ id: 4 }]],
		after: ({ links }) => expect(links.state.pixels.get(4)?.tag).toBe('TAG-4'),
	},
	{
		resource: 'qrCode',
		operation: 'get',
		rows: [{ id: 3 }, { id: 4 }],
		parameters: { qrCodeId: byId('id') },
		expected: ({ links }) => [3, 4].map((id) => [{ id, scans: links.state.qrs.get(id)?.scans }]),
	},
	getMany('qrCode', 'qrs'),
	getMany('splashPage', 'splash'),
];

/** Lists are answered newest first; three rows for each of two items. */
function getMany(resource: string, list: Exclude<ListName, 'items'>): OperationCase {
	const newest = ({ links }: Sandbox): IDataObject[] =>
		links.state[list].slice('newest-first', 0, 3).map(({ id }) => ({ id }));
	return {
		resource,
		operation: 'getAll',
		rows: [{}, {}],
		parameters: { limit: 3 },
		expected: (sandbox) => [newest(sandbox), newest(sandbox)],
	};
}

function namesOf(rows: Array<{ name: string }>): string[] {
	return rows.map(({ name }) => name).sort();
}
