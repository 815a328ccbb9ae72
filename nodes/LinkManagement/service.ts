import type { Service } from '../shared/http/connection';

/** The link-management service (docs/services.md, "Link Management: limits"). */
export const linkManagement: Service = {
	name: 'Link Management',
	credential: 'linkManagementApi',
	rate: () => ({ limit: 30, windowMs: 60_000 }),
	keyHint:
		'If the key is right, the server may drop the Authorization header before it reaches the service.',
};
