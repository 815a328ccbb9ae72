import { Workflow } from 'n8n-workflow';

import { CompanyRegistry } from '../../../nodes/CompanyRegistry/CompanyRegistry.node';
import { LinkManagement } from '../../../nodes/LinkManagement/LinkManagement.node';
import { node, nodeTypes, PACKAGE } from '../../engine/harness';

describe('the subtitle on the canvas', () => {
	it.each([
		['linkManagement', 'ctaOverlay', 'getAll', 'Get many: CTA overlay'],
		['linkManagement', 'qrCode', 'get', 'Get: QR code'],
		['linkManagement', 'campaign', 'upsert', 'Create or update: campaign'],
		['companyRegistry', 'apiKey', 'getStatus', 'Get status: API key'],
		['companyRegistry', 'creditRecommendation', 'get', 'Get: credit recommendation'],
		['companyRegistry', 'idno', 'validate', 'Validate: IDNO'],
	])('of %s %s %s is "%s"', async (type, resource, operation, expected) => {
		const nodes = { linkManagement: new LinkManagement(), companyRegistry: new CompanyRegistry() };
		const { subtitle } = nodes[type as keyof typeof nodes].description;
		const subject = node('Subject', `${PACKAGE}.${type}`, { resource, operation });
		const workflow = new Workflow({ nodes: [subject], connections: {}, active: false, nodeTypes });
		await workflow.expression.acquireIsolate();
		try {
			const shown = workflow.expression.getSimpleParameterValue(subject, subtitle, 'internal', {});
			expect(shown).toBe(expected);
		} finally {
			await workflow.expression.releaseIsolate();
		}
	});
});
