import type { INodeExecutionData, INodeParameters } from 'n8n-workflow';

import { byId } from '../../test/engine/harness';
import type { Variant } from '../../nodes/CompanyRegistry/service';

/** How an operation is run to show what comes out. */
export interface SampleCase {
	parameters: INodeParameters;
	/** Default: one empty item. */
	items?: INodeExecutionData[];
	/** Of the registry's API; default V1. */
	variant?: Variant;
}

const COMPANY = '1000600900002';

/** By `resource.operation`; list operations are asked for one record. */
export const linkManagementSamples: Record<string, SampleCase> = {
	'account.get': { parameters: {} },
	'account.update': { parameters: { accountFields: { email: 'name@example.com' } } },
	'apiRequest.send': {
		parameters: { path: '/api/channels', splitIntoItems: true },
	},
	'campaign.addLink': { parameters: { campaignId: byId(12), linkId: '42' } },
	'campaign.create': {
		parameters: {
			campaignName: 'Spring sale',
			campaignFields: { public: true, slug: 'spring-sale' },
		},
	},
	'campaign.delete': { parameters: { campaignId: byId(12) } },
	'campaign.get': { parameters: { campaignId: byId(12) } },
	'campaign.getAll': { parameters: { limit: 1 } },
	'campaign.upsert': {
		parameters: { campaignName: 'Spring sale', campaignFields: { public: true } },
	},
	'campaign.update': { parameters: { campaignId: byId(12), campaignName: 'Summer sale' } },
	'channel.addItem': { parameters: { channelId: byId(3), itemType: 'links', itemId: '42' } },
	'channel.create': {
		parameters: { name: 'Newsletter', channelFields: { color: '#3B82F6', starred: true } },
	},
	'channel.delete': { parameters: { channelId: byId(3) } },
	'channel.get': { parameters: { channelId: byId(3) } },
	'channel.getAll': { parameters: { limit: 1 } },
	'channel.getItems': { parameters: { channelId: byId(1), limit: 1 } },
	'channel.upsert': { parameters: { name: 'Newsletter', channelFields: { starred: true } } },
	'channel.update': { parameters: { channelId: byId(3), channelFields: { name: 'Letters' } } },
	'ctaOverlay.getAll': { parameters: { limit: 1 } },
	'domain.create': { parameters: { domain: 'https://go.example.com' } },
	'domain.delete': { parameters: { domainId: byId(7) } },
	'domain.get': { parameters: { domainId: byId(7) } },
	'domain.getAll': { parameters: { limit: 1 } },
	'domain.upsert': {
		parameters: {
			domain: 'https://go.example.com',
			domainFields: { redirectroot: 'https://example.com' },
		},
	},
	'domain.update': {
		parameters: { domainId: byId(7), domainFields: { redirectroot: 'https://example.com' } },
	},
	'file.getAll': { parameters: { limit: 1 } },
	'file.upload': {
		parameters: { binaryPropertyName: 'data', fileFields: { custom: 'invoice-2030-01' } },
		items: [
			{
				json: {},
				binary: {
					data: { data: 'aGVsbG8=', mimeType: 'application/pdf', fileName: 'invoice.pdf' },
				},
			},
		],
	},
	'pixel.create': { parameters: { type: 'gtmpixel', name: 'Shop visitors', tag: 'GTM-ABC123' } },
	'pixel.delete': { parameters: { pixelId: byId(5) } },
	'pixel.get': { parameters: { pixelId: byId(5) } },
	'pixel.getAll': { parameters: { limit: 1 } },
	'pixel.upsert': { parameters: { type: 'gtmpixel', name: 'Shop visitors', tag: 'GTM-ABC123' } },
	'pixel.update': { parameters: { pixelId: byId(5), tag: 'GTM-ABC123' } },
	'qrCode.get': { parameters: { qrCodeId: byId(20) } },
	'qrCode.getAll': { parameters: { limit: 1 } },
	'splashPage.getAll': { parameters: { limit: 1 } },
};

/** By `resource.operation`. */
export const companyRegistrySamples: Record<string, SampleCase> = {
	'apiKey.getStatus': { parameters: {} },
	'apiRequest.send': { parameters: { path: '/api/v1/status' } },
	'company.autocomplete': { parameters: { q: 'Agro' }, variant: 'unversioned' },
	'company.enrich': {
		parameters: { companyIdno: '={{ $json.idno }}', addCredit: true },
		items: [{ json: { customer: 17, idno: COMPANY } }],
	},
	'company.get': { parameters: { idno: COMPANY } },
	'company.search': { parameters: { q: COMPANY } },
	'creditRecommendation.get': { parameters: { idno: COMPANY } },
	'idno.validate': { parameters: { idnoToValidate: '1003600015230' } },
};

/** The company whose status changes in the trigger's sample. */
export const WATCHED_COMPANY = COMPANY;
