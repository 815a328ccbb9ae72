import { endpoint } from '../../shared/node/operation';
import type { Resource } from '../../shared/node/resource';
import { listRecords } from '../../shared/node/outputs';
import { ctaOverlays } from '../api';

/** docs/maintainers/services.md, "Link Management: requests". */
export const ctaOverlay: Resource = {
	name: 'CTA Overlay',
	value: 'ctaOverlay',
	description: "A message or button shown over a short link's target page",
	operations: [
		{
			name: 'Get Many',
			value: 'getAll',
			action: 'Get many CTA overlays',
			description: 'List the CTA overlays in the account',
			routing: endpoint('GET', ctaOverlays.path, listRecords(ctaOverlays)),
		},
	],
	properties: [],
};
