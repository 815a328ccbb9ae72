import { SHORT_HOST, slugOf } from '../data';
import { shownRows } from '../lists';
import type { Campaign } from '../records';
import {
	campaignAssignParams,
	campaignCreateBody,
	campaignUpdateBody,
	idParams,
	listQuery,
} from '../schemas';
import type { LinkSettings } from '../settings';
import type { AddRoutes } from './addRoutes';
import { found } from './found';

export const addCampaignRoutes: AddRoutes = (service, add) => {
	add({
		method: 'get',
		path: '/api/campaigns',
		query: listQuery,
		handle: ({ query }, exchange) => {
			const { campaignNameKey } = service.settings;
			const rows = shownRows(service.state.campaigns, (campaign) => ({
				id: campaign.id,
				[nameKeyOf(campaign, campaignNameKey)]: campaign.name,
				...linksOf(campaign),
			}));
			return service.answerList('campaigns', rows, query, exchange);
		},
	});

	add({
		method: 'post',
		path: '/api/campaign/add',
		body: campaignCreateBody,
		handle: ({ body }) =>
			written(
				service.state.campaigns.insert((id) => ({
					id,
					name: body.name ?? `Campaign ${id}`,
					public: body.public ?? false,
					slug: body.slug ?? '',
				})),
			),
	});

	add({
		method: 'post',
		path: '/api/campaign/:campaignid/assign/:linkid',
		params: campaignAssignParams,
		handle: ({ params }) => {
			const campaign = found(service.state.campaigns.get(params.campaignid), 'Campaign');
			found(service.state.links.get(params.linkid), 'Link').campaignId = campaign.id;
			return { message: 'Link has been successfully added to the campaign' };
		},
	});

	add({
		method: 'put',
		path: '/api/campaign/:id/update',
		params: idParams,
		body: campaignUpdateBody,
		handle: ({ params, body }) => {
			const campaign = found(service.state.campaigns.get(params.id), 'Campaign');
			return written(Object.assign(campaign, body));
		},
	});

	add({
		method: 'delete',
		path: '/api/campaign/:id/delete',
		params: idParams,
		handle: ({ params }) => {
			found(service.state.campaigns.delete(params.id) || undefined, 'Campaign');
			return { message: 'Campaign has been successfully deleted' };
		},
	});
};

function linksOf({ id, name, public: isPublic, slug }: Campaign) {
	return {
		public: isPublic,
		rotator: slug === '' ? false : `${SHORT_HOST}/r/${slug}`,
		list: `${SHORT_HOST}/u/demo/${slug || slugOf(name) || 'campaign'}-${id}`,
	};
}

/** Create and update answer the name under `domain`. */
function written(campaign: Campaign) {
	return { id: campaign.id, domain: campaign.name, ...linksOf(campaign) };
}

function nameKeyOf({ id }: Campaign, setting: LinkSettings['campaignNameKey']): string {
	if (setting !== 'mixed') return setting;
	return id % 7 === 2 ? 'domain' : 'name';
}
