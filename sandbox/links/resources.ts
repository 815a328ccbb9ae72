import { createHash } from 'node:crypto';
import { z } from 'zod';
import { found } from '../shared/checks';
import { endpoint, type Exchange } from '../shared/endpoint';
import { crud, type Endpoints, listResponse, message, shown } from './crud';
import { SHORT_HOST, slugOf } from './generated';
import * as record from './records';
import { rowsOf } from './rowStore';

export const account: Endpoints = (service) => [
	endpoint('GET /api/account', 'Get: Account', {
		response: z.object({ data: record.account }),
		handle: () => ({ data: service.state.account }),
	}),
	endpoint('PUT /api/account/update', 'Update: Account', {
		body: record.accountBody,
		response: message,
		handle: ({ body: { email } }) => {
			if (email !== undefined) service.state.account.email = email;
			return { message: 'Account has been successfully updated' };
		},
	}),
];

export const domains = crud({
	name: 'Domain',
	list: 'domains',
	listPath: '/api/domains',
	key: 'domains',
	record: record.domain,
	path: '/api/domain',
	createBody: record.domainBody,
	create: ({ redirectroot = '', redirect404 = '', domain }, id) => ({
		...{ id, domain: domain.replace(/\/$/, ''), redirectroot, redirect404 },
	}),
	updateBody: record.domainUpdate,
});

export const overlays = crud({
	name: 'CTA overlay',
	list: 'overlays',
	listPath: '/api/overlay',
	key: 'cta',
	record: record.overlay,
});

export const splashPages = crud({
	name: 'Splash page',
	list: 'splash',
	listPath: '/api/splash',
	key: 'splash',
	record: record.splashPage,
});

export const campaigns = crud({
	name: 'Campaign',
	list: 'campaigns',
	listPath: '/api/campaigns',
	key: 'campaigns',
	record: record.listedCampaign,
	listed: (campaign: record.Campaign) => {
		const key = campaign.id % 7 === 2 ? 'domain' : 'name';
		return { id: campaign.id, [key]: campaign.name, ...addressesOf(campaign) };
	},
	path: '/api/campaign',
	createBody: record.campaignBody,
	create: ({ name, slug = '', public: isPublic = false }, id) => ({
		...{ id, name: name ?? `Campaign ${id}`, public: isPublic, slug },
	}),
	updateBody: record.campaignUpdate,
	updateReturnsRecord: true,
	// Create and update show the name under `domain`.
	written: {
		schema: record.writtenCampaign,
		show: (campaign) => ({
			...{ id: campaign.id, domain: campaign.name, ...addressesOf(campaign) },
		}),
	},
});

function addressesOf({ id, name, public: isPublic, slug }: record.Campaign) {
	return {
		public: isPublic,
		rotator: slug === '' ? false : `${SHORT_HOST}/r/${slug}`,
		list: `${SHORT_HOST}/u/demo/${slug || slugOf(name) || 'campaign'}-${id}`,
	};
}

export const campaignLinks: Endpoints = (service) => [
	endpoint('POST /api/campaign/:campaignid/assign/:linkid', 'Assign a short link to a campaign', {
		params: record.campaignAssignParams,
		response: message,
		handle: ({ params }) => {
			const { campaigns: known, links } = service.state;
			const { id } = found(known.get(params.campaignid), 'Campaign does not exist');
			found(links.get(params.linkid), 'Link does not exist').campaignId = id;
			return { message: 'Link has been successfully added to the campaign' };
		},
	}),
];

export const channels = crud({
	name: 'Channel',
	list: 'channels',
	listPath: '/api/channels',
	key: 'channels',
	record: record.channel,
	path: '/api/channel',
	createBody: record.channelBody,
	create: ({ name, description = '', color = '#000000', starred = false }, id) => ({
		...{ id, name, description, color, starred },
	}),
	updateBody: record.channelUpdate,
	written: { schema: record.channel, show: (channel) => channel },
});

export const channelItems: Endpoints = (service) => [
	endpoint('GET /api/channel/:id', 'List the items of a channel', {
		params: record.idParams,
		query: record.listQuery,
		response: listResponse('items', record.channelItem),
		handle: ({ params, query }) => {
			const { state } = service;
			const { id } = found(state.channels.get(params.id), 'Channel does not exist');
			return service.listPage(['items', 'items'], rowsOf(state.channelItems(id)), query);
		},
	}),
	endpoint('POST /api/channel/:channelid/assign/:type/:itemid', 'Assign an item to a channel', {
		params: record.channelAssignParams,
		response: message,
		handle: ({ params: { channelid, type, itemid } }) => {
			service.state.addItem(channelid, { type, id: itemid });
			return { message: 'Item has been successfully added to the channel' };
		},
	}),
];

export const pixels = crud({
	name: 'Pixel',
	list: 'pixels',
	listPath: '/api/pixels',
	key: 'pixels',
	record: record.pixel,
	path: '/api/pixel',
	createBody: record.pixelBody,
	create: (body, id, state) => ({ id, ...body, date: state.dateTime() }),
	updateBody: record.pixelUpdate,
});

export const qrCodes = crud({
	name: 'QR code',
	list: 'qrs',
	listPath: '/api/qr',
	key: 'qrs',
	record: record.qrCode,
});

export const singleQrCode: Endpoints = (service) => [
	endpoint('GET /api/qr/:id', 'Get: QR code', {
		params: record.idParams,
		// The documentation doesn't show this body, so this is a plausible one.
		handle: ({ params }) => ({
			data: found(service.state.qrs.get(params.id), 'QR code does not exist'),
		}),
	}),
];

export const files: Endpoints = (service) => [
	endpoint('GET /api/files', 'List: File', {
		query: record.fileListQuery,
		response: listResponse('list', record.file),
		handle: ({ query }) => {
			const { state } = service;
			const wanted = query.name?.toLowerCase();
			const named = (name: string) => name.toLowerCase().includes(wanted ?? '');
			const rows =
				wanted === undefined
					? state.files
					: rowsOf(state.files.all().filter(({ name }) => named(name)));
			const view = shown(rows, (file) => state.fileView(file));
			return service.listPage(['files', 'list'], view, query);
		},
	}),
	endpoint('POST /api/files/upload/:filename', 'Upload a file', {
		params: record.uploadParams,
		query: record.uploadQuery,
		response: z.object({ id: z.number().int(), shorturl: z.string() }),
		streamed: true,
		handle: async ({ params: { filename }, query }, exchange) => {
			const { name = filename, ...details } = query;
			const contentType = exchange.req.headers['content-type'];
			const upload = { filename, contentType, ...(await digest(exchange)), ...details };
			const host = withScheme(details.domain);
			const { id, shorturl } = service.state.addFile({ name, upload }, details.custom, host);
			return { id, shorturl };
		},
	}),
];

function withScheme(domain: string | undefined): string | undefined {
	const bare = domain?.replace(/\/+$/, '');
	return bare === undefined || /^https?:\/\//i.test(bare) ? bare : `https://${bare}`;
}

/** Reads the body to its end and keeps only its size and hash. */
async function digest({ req, logged }: Exchange): Promise<{ bytes: number; sha256: string }> {
	const hash = createHash('sha256');
	for await (const chunk of req as AsyncIterable<Buffer>) {
		logged.bodyBytes += chunk.length;
		hash.update(chunk);
	}
	return { bytes: logged.bodyBytes, sha256: hash.digest('hex') };
}
