import type { Resource } from '../../shared/node/resource';
import { ctaOverlays } from '../api';
import { getMany } from '../operations';

export const ctaOverlay: Resource = {
	name: 'CTA Overlay',
	value: 'ctaOverlay',
	description: "A message or button shown over a short link's target page",
	operations: [getMany(ctaOverlays, 'CTA overlays')],
	properties: [],
};
