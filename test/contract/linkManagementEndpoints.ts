/**
 * The endpoints of the link-management document ("Endpoints", with the types of "Resources and
 * their fields"), written down from it and from nothing else. Names are the document's.
 */
export const ENDPOINTS: readonly DocumentedEndpoint[] = [
	// Account
	{
		operation: 'account.get',
		method: 'GET',
		path: '/api/account',
		answers: { record: 'data' },
	},
	{
		operation: 'account.update',
		method: 'PUT',
		path: '/api/account/update',
		body: { email: { type: 'email' }, password: { type: 'string' } },
		answers: 'message',
	},

	// Branded domains
	{
		operation: 'domain.getAll',
		method: 'GET',
		path: '/api/domains',
		query: { limit: { type: 'integer' }, page: { type: 'integer' } },
		answers: { list: 'data.domains' },
	},
	{
		operation: 'domain.create',
		method: 'POST',
		path: '/api/domain/add',
		body: {
			domain: { type: 'url', required: true },
			redirectroot: { type: 'url' },
			redirect404: { type: 'url' },
		},
		answers: 'id',
	},
	{
		operation: 'domain.update',
		method: 'PUT',
		path: '/api/domain/:id/update',
		body: { redirectroot: { type: 'url' }, redirect404: { type: 'url' } },
		answers: 'message',
	},
	{
		operation: 'domain.delete',
		method: 'DELETE',
		path: '/api/domain/:id/delete',
		answers: 'message',
	},

	// CTA overlays
	{
		operation: 'ctaOverlay.getAll',
		method: 'GET',
		path: '/api/overlay',
		query: { limit: { type: 'integer' }, page: { type: 'integer' } },
		answers: { list: 'data.cta' },
	},

	// Campaigns
	{
		operation: 'campaign.getAll',
		method: 'GET',
		path: '/api/campaigns',
		query: { limit: { type: 'integer' }, page: { type: 'integer' } },
		answers: { list: 'data.campaigns' },
	},
	{
		operation: 'campaign.create',
		method: 'POST',
		path: '/api/campaign/add',
		body: { name: { type: 'string' }, slug: { type: 'string' }, public: { type: 'boolean' } },
		answers: 'id',
	},
	{
		operation: 'campaign.addLink',
		method: 'POST',
		path: '/api/campaign/:campaignid/assign/:linkid',
		answers: 'message',
	},
	{
		operation: 'campaign.update',
		method: 'PUT',
		path: '/api/campaign/:id/update',
		body: {
			name: { type: 'string', required: true },
			slug: { type: 'string' },
			public: { type: 'boolean' },
		},
		answers: 'id',
	},
	{
		operation: 'campaign.delete',
		method: 'DELETE',
		path: '/api/campaign/:id/delete',
		answers: 'message',
	},

	// Channels
	{
		operation: 'channel.getAll',
		method: 'GET',
		path: '/api/channels',
		query: { limit: { type: 'integer' }, page: { type: 'integer' } },
		answers: { list: 'data.channels' },
	},
	{
		operation: 'channel.getItems',
		method: 'GET',
		path: '/api/channel/:id',
		query: { limit: { type: 'integer' }, page: { type: 'integer' } },
		answers: { list: 'data.items' },
	},
	{
		operation: 'channel.create',
		method: 'POST',
		path: '/api/channel/add',
		body: {
			name: { type: 'string', required: true },
			description: { type: 'string' },
			color: { type: 'color' },
			starred: { type: 'boolean' },
		},
		answers: 'id',
	},
	{
		operation: 'channel.addItem',
		method: 'POST',
		path: '/api/channel/:channelid/assign/:type/:itemid',
		pathTypes: { type: { oneOf: ['links', 'bio', 'qr'] } },
		answers: 'message',
	},
	{
		operation: 'channel.update',
		method: 'PUT',
		path: '/api/channel/:id/update',
		body: {
			name: { type: 'string' },
			description: { type: 'string' },
			color: { type: 'color' },
			starred: { type: 'boolean' },
		},
		answers: 'message',
	},
	{
		operation: 'channel.delete',
		method: 'DELETE',
		path: '/api/channel/:id/delete',
		answers: 'message',
	},

	// Custom splash pages
	{
		operation: 'splashPage.getAll',
		method: 'GET',
		path: '/api/splash',
		query: { limit: { type: 'integer' }, page: { type: 'integer' } },
		answers: { list: 'data.splash' },
	},

	// Files
	{
		operation: 'file.getAll',
		method: 'GET',
		path: '/api/files',
		query: {
			name: { type: 'string' },
			limit: { type: 'integer' },
			page: { type: 'integer' },
		},
		answers: { list: 'list' },
	},
	{
		operation: 'file.upload',
		method: 'POST',
		path: '/api/files/upload/:filename',
		pathTypes: { filename: { type: 'fileName' } },
		query: {
			name: { type: 'string' },
			custom: { type: 'string' },
			domain: { type: 'string' },
			password: { type: 'string' },
			expiry: { type: 'date' },
			maxdownloads: { type: 'integer' },
		},
		uploads: true,
		answers: 'id',
	},

	// Pixels
	{
		operation: 'pixel.getAll',
		method: 'GET',
		path: '/api/pixels',
		query: { limit: { type: 'integer' }, page: { type: 'integer' } },
		answers: { list: 'data.pixels' },
	},
	{
		operation: 'pixel.create',
		method: 'POST',
		path: '/api/pixel/add',
		body: {
			type: {
				oneOf: [
					'gtmpixel',
					'gapixel',
					'fbpixel',
					'adwordspixel',
					'linkedinpixel',
					'twitterpixel',
					'adrollpixel',
					'quorapixel',
					'pinterest',
					'bing',
					'snapchat',
					'reddit',
					'tiktok',
				],
				required: true,
			},
			name: { type: 'string', required: true },
			tag: { type: 'string', required: true },
		},
		answers: 'id',
	},
	{
		operation: 'pixel.update',
		method: 'PUT',
		path: '/api/pixel/:id/update',
		body: { name: { type: 'string' }, tag: { type: 'string', required: true } },
		answers: 'message',
	},
	{
		operation: 'pixel.delete',
		method: 'DELETE',
		path: '/api/pixel/:id/delete',
		answers: 'message',
	},

	// QR codes
	{
		operation: 'qrCode.getAll',
		method: 'GET',
		path: '/api/qr',
		query: { limit: { type: 'integer' }, page: { type: 'integer' } },
		answers: { list: 'data.qrs' },
	},
	{
		operation: 'qrCode.get',
		method: 'GET',
		path: '/api/qr/:id',
		answers: { record: 'not shown' },
	},
];

export interface DocumentedEndpoint {
	/** The node's `resource.operation` for it. */
	operation: string;
	method: 'GET' | 'POST' | 'PUT' | 'DELETE';
	/** With `:name` for a placeholder, which is an id unless `pathTypes` says otherwise. */
	path: string;
	pathTypes?: Record<string, DocumentedField>;
	query?: Record<string, DocumentedField>;
	body?: Record<string, DocumentedField>;
	/** The body is the content of a file. */
	uploads?: true;
	/**
	 * What a success carries beside `error`: a confirmation, the id of a new record, a record under
	 * a key, or a list under a key.
	 */
	answers: 'message' | 'id' | { record: string } | { list: string };
}

export type DocumentedField = { required?: boolean } & (
	| { type: 'string' | 'integer' | 'boolean' | 'url' | 'email' | 'color' | 'date' | 'fileName' }
	| { oneOf: readonly string[] }
);
