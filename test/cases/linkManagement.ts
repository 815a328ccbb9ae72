import { byId } from './operationCase';
import type { Exchange, OperationCase } from './operationCase';

/** Every operation of Link Management, from the Link API spec. */
export const linkManagementCases: OperationCase[] = [
	{
		operation: 'account.get',
		documented: { endpoint: 'GET /api/account' },
		parameters: {},
		exchanges: [
			{
				request: 'GET /api/account',
				response: {
					error: 0,
					data: {
						id: 1,
						email: 'demo@link-company.example',
						username: 'demo',
						avatar: 'https://lnk.example/avatars/demo.png',
						status: 'pro',
						expires: '2030-12-31 23:59:59',
						registered: '2021-04-12 09:30:00',
					},
				},
			},
		],
		output: [
			{
				id: 1,
				email: 'demo@link-company.example',
				username: 'demo',
				avatar: 'https://lnk.example/avatars/demo.png',
				status: 'pro',
				expires: '2030-12-31 23:59:59',
				registered: '2021-04-12 09:30:00',
			},
		],
	},
	{
		operation: 'account.update',
		documented: { endpoint: 'PUT /api/account/update', fields: ['email', 'password'] },
		parameters: { accountFields: { email: 'name@example.com', password: ' pass word ' } },
		exchanges: [
			{
				request: 'PUT /api/account/update',
				body: { email: 'name@example.com', password: ' pass word ' },
				response: { error: 0, message: 'Account has been updated' },
			},
		],
		output: [{ message: 'Account has been updated' }],
	},
	{
		operation: 'apiRequest.send',
		parameters: { method: 'GET', path: '/api/channels?limit=1', splitIntoItems: true },
		exchanges: [
			{
				request: 'GET /api/channels?limit=1',
				response: { error: '0', data: { maxpage: 60, channels: [{ id: 60, name: 'Partners' }] } },
			},
		],
		output: [{ id: 60, name: 'Partners' }],
	},
	{
		operation: 'campaign.addLink',
		documented: { endpoint: 'POST /api/campaign/:campaignid/assign/:linkid' },
		parameters: { campaignId: byId(12), linkId: '42' },
		exchanges: [
			{
				request: 'POST /api/campaign/12/assign/42',
				response: { error: 0, message: 'Link has been added to the campaign' },
			},
		],
		output: [{ campaignId: 12, linkId: 42, message: 'Link has been added to the campaign' }],
	},
	{
		operation: 'campaign.create',
		documented: { endpoint: 'POST /api/campaign/add', fields: ['name', 'slug', 'public'] },
		parameters: {
			campaignName: 'Spring sale',
			campaignFields: { public: true, slug: 'spring-sale' },
		},
		exchanges: [
			{
				request: 'POST /api/campaign/add',
				body: { name: 'Spring sale', public: true, slug: 'spring-sale' },
				response: {
					error: 0,
					id: 76,
					domain: 'Spring sale',
					public: true,
					rotator: 'https://lnk.example/r/spring-sale',
					list: 'https://lnk.example/u/demo/spring-sale-76',
				},
			},
		],
		output: [
			{
				id: 76,
				name: 'Spring sale',
				public: true,
				rotator: 'https://lnk.example/r/spring-sale',
				list: 'https://lnk.example/u/demo/spring-sale-76',
			},
		],
	},
	{
		operation: 'campaign.delete',
		documented: { endpoint: 'DELETE /api/campaign/:id/delete' },
		parameters: { campaignId: byId(12) },
		exchanges: [
			{
				request: 'DELETE /api/campaign/12/delete',
				response: { error: 0, message: 'Campaign has been deleted' },
			},
		],
		output: [{ deleted: true, id: 12 }],
	},
	getOne('campaign', '/api/campaigns', 'campaigns', {
		id: 12,
		name: 'Trade Fair',
		public: false,
		rotator: 'https://lnk.example/r/trade-fair',
		list: 'https://lnk.example/u/demo/trade-fair-12',
	}),
	getMany('campaign', '/api/campaigns', 'campaigns', {
		id: 75,
		name: 'Trade Fair',
		public: false,
		rotator: 'https://lnk.example/r/trade-fair',
		list: 'https://lnk.example/u/demo/trade-fair-75',
	}),
	{
		operation: 'campaign.update',
		documented: { endpoint: 'PUT /api/campaign/:id/update', fields: ['name', 'slug', 'public'] },
		parameters: {
			campaignId: byId(12),
			campaignName: 'Summer sale',
			campaignFields: { public: true, slug: 'summer' },
		},
		exchanges: [
			{
				request: 'PUT /api/campaign/12/update',
				body: { name: 'Summer sale', public: true, slug: 'summer' },
				response: {
					error: 0,
					id: 12,
					domain: 'Summer sale',
					public: true,
					rotator: false,
					list: 'https://lnk.example/u/demo/summer-12',
				},
			},
		],
		output: [
			{
				id: 12,
				name: 'Summer sale',
				public: true,
				rotator: false,
				list: 'https://lnk.example/u/demo/summer-12',
			},
		],
	},
	{
		operation: 'campaign.upsert',
		parameters: { campaignName: 'Spring sale', campaignFields: { public: true } },
		exchanges: [
			allListed('/api/campaigns', 'campaigns', [{ id: 12, name: 'Trade Fair' }]),
			{
				request: 'POST /api/campaign/add',
				body: { name: 'Spring sale', public: true },
				response: { error: 0, id: 76, domain: 'Spring sale', public: true, rotator: false },
			},
		],
		output: [{ id: 76, name: 'Spring sale', public: true, rotator: false }],
	},
	{
		operation: 'channel.addItem',
		documented: { endpoint: 'POST /api/channel/:channelid/assign/:type/:itemid' },
		parameters: { channelId: byId(3), itemType: 'links', itemId: byId(42) },
		exchanges: [
			{
				request: 'POST /api/channel/3/assign/links/42',
				response: { error: 0, message: 'Item has been added to the channel' },
			},
		],
		output: [
			{
				channelId: 3,
				itemType: 'links',
				itemId: 42,
				message: 'Item has been added to the channel',
			},
		],
	},
	{
		operation: 'channel.create',
		documented: {
			endpoint: 'POST /api/channel/add',
			fields: ['name', 'description', 'color', 'starred'],
		},
		parameters: {
			name: 'Newsletter',
			channelFields: { color: '#3B82F6', description: 'Weekly', starred: true },
		},
		exchanges: [
			{
				request: 'POST /api/channel/add',
				body: { name: 'Newsletter', color: '#3B82F6', description: 'Weekly', starred: true },
				response: {
					error: 0,
					id: 61,
					name: 'Newsletter',
					description: 'Weekly',
					color: '#3B82F6',
					starred: true,
				},
			},
		],
		output: [
			{ id: 61, name: 'Newsletter', description: 'Weekly', color: '#3B82F6', starred: true },
		],
	},
	{
		operation: 'channel.delete',
		documented: { endpoint: 'DELETE /api/channel/:id/delete' },
		parameters: { channelId: byId(3) },
		exchanges: [
			{
				request: 'DELETE /api/channel/3/delete',
				response: { error: 0, message: 'Channel has been deleted' },
			},
		],
		output: [{ deleted: true, id: 3 }],
	},
	getOne('channel', '/api/channels', 'channels', {
		id: 3,
		name: 'Partners',
		description: '',
		color: '#1A73E8',
		starred: false,
	}),
	getMany('channel', '/api/channels', 'channels', {
		id: 60,
		name: 'Partners',
		description: '',
		color: '#1A73E8',
		starred: false,
	}),
	{
		...getMany('channel', '/api/channel/1', 'items', {
			type: 'qr',
			id: 8,
			title: 'Student Offer',
			preview: 'https://lnk.example/qr/cBrGy7c.png',
			link: 'https://lnk.example/qr/cBrGy7c',
			date: '2025-07-27',
		}),
		operation: 'channel.getItems',
		documented: { endpoint: 'GET /api/channel/:id', fields: ['limit', 'page'] },
		parameters: { channelId: byId(1), limit: 50 },
	},
	{
		operation: 'channel.update',
		documented: {
			endpoint: 'PUT /api/channel/:id/update',
			fields: ['name', 'description', 'color', 'starred'],
		},
		parameters: {
			channelId: byId(3),
			channelFields: { color: '#00ff7F', description: 'Monthly', name: 'Letters', starred: false },
		},
		exchanges: [
			{
				request: 'PUT /api/channel/3/update',
				body: { color: '#00ff7F', description: 'Monthly', name: 'Letters', starred: false },
				response: { error: 0, message: 'Channel has been updated' },
			},
		],
		output: [{ id: 3, message: 'Channel has been updated' }],
	},
	{
		operation: 'channel.upsert',
		parameters: { name: 'Newsletter', channelFields: { starred: true } },
		exchanges: [
			allListed('/api/channels', 'channels', [{ id: 3, name: 'Partners' }]),
			{
				request: 'POST /api/channel/add',
				body: { name: 'Newsletter', starred: true },
				response: { error: 0, id: 61, name: 'Newsletter', starred: true },
			},
		],
		output: [{ id: 61, name: 'Newsletter', starred: true }],
	},
	getMany('ctaOverlay', '/api/overlay', 'cta', {
		id: 52,
		type: 'message',
		name: 'Student Offer banner',
		date: '2025-09-30 01:16:29',
	}),
	{
		operation: 'domain.create',
		documented: {
			endpoint: 'POST /api/domain/add',
			fields: ['domain', 'redirectroot', 'redirect404'],
		},
		parameters: {
			domain: 'https://go.example.com',
			domainFields: {
				redirectroot: 'https://example.com',
				redirect404: 'https://example.com/?q=ă b',
			},
		},
		exchanges: [
			{
				request: 'POST /api/domain/add',
				body: {
					domain: 'https://go.example.com',
					redirectroot: 'https://example.com',
					redirect404: 'https://example.com/?q=ă b',
				},
				response: { error: 0, id: 56 },
			},
		],
		output: [{ id: 56 }],
	},
	{
		operation: 'domain.delete',
		documented: { endpoint: 'DELETE /api/domain/:id/delete' },
		parameters: { domainId: byId(7) },
		exchanges: [
			{
				request: 'DELETE /api/domain/7/delete',
				response: { error: 0, message: 'Domain has been deleted' },
			},
		],
		output: [{ deleted: true, id: 7 }],
	},
	getOne('domain', '/api/domains', 'domains', {
		id: 7,
		domain: 'https://go.webinar.example',
		redirectroot: 'https://www.webinar.example',
		redirect404: 'https://www.webinar.example/not-found',
	}),
	getMany('domain', '/api/domains', 'domains', {
		id: 55,
		domain: 'https://go.webinar.example',
		redirectroot: 'https://www.webinar.example',
		redirect404: 'https://www.webinar.example/not-found',
	}),
	{
		operation: 'domain.update',
		documented: {
			endpoint: 'PUT /api/domain/:id/update',
			fields: ['redirectroot', 'redirect404'],
		},
		parameters: {
			domainId: byId(7),
			domainFields: { redirectroot: 'https://a.example', redirect404: 'http://b.example/404' },
		},
		exchanges: [
			{
				request: 'PUT /api/domain/7/update',
				body: { redirectroot: 'https://a.example', redirect404: 'http://b.example/404' },
				response: { error: 0, message: 'Domain has been updated' },
			},
		],
		output: [{ id: 7, message: 'Domain has been updated' }],
	},
	{
		operation: 'domain.upsert',
		parameters: {
			domain: 'https://go.example.com',
			domainFields: { redirectroot: 'https://example.com' },
		},
		exchanges: [
			allListed('/api/domains', 'domains', [{ id: 7, domain: 'https://go.webinar.example' }]),
			{
				request: 'POST /api/domain/add',
				body: { domain: 'https://go.example.com', redirectroot: 'https://example.com' },
				response: { error: 0, id: 56 },
			},
		],
		output: [{ id: 56, domain: 'https://go.example.com', redirectroot: 'https://example.com' }],
	},
	{
		operation: 'file.getAll',
		documented: { endpoint: 'GET /api/files', fields: ['name', 'limit', 'page'] },
		parameters: { limit: 50, fileFilters: { name: 'menu & co' } },
		exchanges: [
			{
				request: 'GET /api/files?name=menu+%26+co&limit=50&page=1',
				response: {
					error: 0,
					result: 1,
					perpage: 50,
					currentpage: 1,
					nextpage: null,
					maxpage: 1,
					list: [
						{
							id: 180,
							name: 'menu & co.pdf',
							downloads: 186,
							shorturl: 'https://lnk.example/T4kVzPU',
							date: '2025-09-30 10:43:15',
						},
					],
				},
			},
		],
		output: [
			{
				id: 180,
				name: 'menu & co.pdf',
				downloads: 186,
				shorturl: 'https://lnk.example/T4kVzPU',
				date: '2025-09-30 10:43:15',
			},
		],
	},
	{
		operation: 'file.upload',
		documented: {
			endpoint: 'POST /api/files/upload/:filename',
			fields: ['name', 'custom', 'domain', 'password', 'expiry', 'maxdownloads'],
		},
		parameters: {
			binaryPropertyName: 'data',
			fileFields: {
				custom: 'invoice-2030-01',
				domain: { __rl: true, mode: 'address', value: 'https://go.webinar-55.example' },
				expiry: '2031-02-28',
				maxdownloads: 3,
				name: 'Invoice of January',
				password: 'p&ss w?rd',
			},
		},
		file: { name: 'çà & là 50%.pdf', mimeType: 'application/pdf', content: 'hello' },
		exchanges: [
			{
				request:
					'POST /api/files/upload/%C3%A7%C3%A0%20%26%20l%C3%A0%2050%25.pdf?custom=invoice-2030-01&domain=https%3A%2F%2Fgo.webinar-55.example&expiry=2031-02-28&maxdownloads=3&name=Invoice+of+January&password=p%26ss+w%3Frd',
				body: 'hello',
				response: { error: 0, id: 181, shorturl: 'https://lnk.example/invoice-2030-01' },
			},
		],
		output: [{ id: 181, shorturl: 'https://lnk.example/invoice-2030-01' }],
	},
	{
		operation: 'pixel.create',
		documented: { endpoint: 'POST /api/pixel/add', fields: ['type', 'name', 'tag'] },
		parameters: { type: 'tiktok', name: 'Shop visitors', tag: 'T-ABC123' },
		exchanges: [
			{
				request: 'POST /api/pixel/add',
				body: { type: 'tiktok', name: 'Shop visitors', tag: 'T-ABC123' },
				response: { error: 0, id: 71 },
			},
		],
		output: [{ id: 71 }],
	},
	{
		operation: 'pixel.delete',
		documented: { endpoint: 'DELETE /api/pixel/:id/delete' },
		parameters: { pixelId: byId(5) },
		exchanges: [
			{
				request: 'DELETE /api/pixel/5/delete',
				response: { error: 0, message: 'Pixel has been deleted' },
			},
		],
		output: [{ deleted: true, id: 5 }],
	},
	getOne('pixel', '/api/pixels', 'pixels', {
		id: 5,
		type: 'linkedinpixel',
		name: 'Recruiting',
		tag: 'LIN-961641',
		date: '2025-09-30 09:04:11',
	}),
	getMany('pixel', '/api/pixels', 'pixels', {
		id: 70,
		type: 'linkedinpixel',
		name: 'Recruiting',
		tag: 'LIN-961641',
		date: '2025-09-30 09:04:11',
	}),
	{
		operation: 'pixel.update',
		documented: { endpoint: 'PUT /api/pixel/:id/update', fields: ['name', 'tag'] },
		parameters: { pixelId: byId(5), tag: 'GTM-ABC123', pixelFields: { name: 'Shop' } },
		exchanges: [
			{
				request: 'PUT /api/pixel/5/update',
				body: { tag: 'GTM-ABC123', name: 'Shop' },
				response: { error: 0, message: 'Pixel has been updated' },
			},
		],
		output: [{ id: 5, message: 'Pixel has been updated' }],
	},
	{
		operation: 'pixel.upsert',
		parameters: { type: 'gtmpixel', name: 'Shop visitors', tag: 'GTM-ABC123' },
		exchanges: [
			allListed('/api/pixels', 'pixels', [{ id: 5, type: 'linkedinpixel', tag: 'LIN-961641' }]),
			{
				request: 'POST /api/pixel/add',
				body: { type: 'gtmpixel', name: 'Shop visitors', tag: 'GTM-ABC123' },
				response: { error: 0, id: 71 },
			},
		],
		output: [{ id: 71, type: 'gtmpixel', name: 'Shop visitors', tag: 'GTM-ABC123' }],
	},
	{
		operation: 'qrCode.get',
		documented: { endpoint: 'GET /api/qr/:id' },
		parameters: { qrCodeId: byId(20) },
		exchanges: [
			{
				request: 'GET /api/qr/20',
				response: {
					error: 0,
					data: {
						id: 20,
						link: 'https://lnk.example/qr/VDZcsva',
						scans: 504,
						name: 'Referral',
						date: '2025-08-05 11:21:06',
					},
				},
			},
		],
		output: [
			{
				id: 20,
				link: 'https://lnk.example/qr/VDZcsva',
				scans: 504,
				name: 'Referral',
				date: '2025-08-05 11:21:06',
			},
		],
	},
	getMany('qrCode', '/api/qr', 'qrs', {
		id: 90,
		link: 'https://lnk.example/qr/L2CNJZY',
		scans: 850,
		name: 'Black Friday',
		date: '2025-09-30 06:33:39',
	}),
	getMany('splashPage', '/api/splash', 'splash', {
		id: 51,
		name: 'Press Kit splash',
		date: '2025-09-30 04:51:46',
	}),
];

/** The list of a resource: the given record, and another one like it. */
function getMany(
	resource: string,
	path: string,
	key: string,
	record: { id: number } & Record<string, string | number | boolean>,
): OperationCase {
	const rows = [record, { ...record, id: record.id - 1 }];
	return {
		operation: `${resource}.getAll`,
		documented: { endpoint: `GET ${path}`, fields: ['limit', 'page'] },
		parameters: { limit: 50 },
		exchanges: [listed(path, key, rows)],
		output: rows,
	};
}

/** The first page of a list that has no other. */
function listed(path: string, key: string, rows: object[]): Exchange {
	const counters = { result: 2, perpage: 50, currentpage: 1, nextpage: null, maxpage: 1 };
	return {
		request: `GET ${path}?limit=50&page=1`,
		response: { error: '0', data: { ...counters, [key]: rows } },
	};
}

/** A record that the API only lists: the list is read to find it. */
function getOne(
	resource: string,
	path: string,
	key: string,
	record: { id: number } & Record<string, string | number | boolean>,
): OperationCase {
	const rows = [{ ...record, id: record.id + 1 }, record];
	return {
		operation: `${resource}.get`,
		parameters: { [`${resource}Id`]: byId(record.id) },
		exchanges: [allListed(path, key, rows)],
		output: [record],
	};
}

/** The only page of a list that is read to the end. */
function allListed(path: string, key: string, rows: object[]): Exchange {
	const counters = { result: 2, perpage: 100, currentpage: 1, nextpage: null, maxpage: 1 };
	return {
		request: `GET ${path}?limit=100&page=1`,
		response: { error: '0', data: { ...counters, [key]: rows } },
	};
}
