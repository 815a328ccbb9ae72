import { CompanyRegistry } from '../../../nodes/CompanyRegistry/CompanyRegistry.node';
import { LinkManagement } from '../../../nodes/LinkManagement/LinkManagement.node';

/** The subtitle as n8n evaluates it for a node. */
function subtitleOf(subtitle: string, resource: string, operation: string): unknown {
	const expression = /^=\{\{(.*)\}\}$/s.exec(subtitle)![1]!;
	return new Function('$parameter', `return ${expression}`)({ resource, operation });
}

describe('the subtitle of a node', () => {
	it.each([
		['ctaOverlay', 'getAll', 'Get Many: CTA Overlay'],
		['campaign', 'upsert', 'Create or Update: Campaign'],
		['qrCode', 'get', 'Get: QR Code'],
		['apiRequest', 'send', 'Send: API Request'],
		['made by an expression', 'too', 'too: made by an expression'],
	])('is in words for %s %s', (resource, operation, words) => {
		expect(subtitleOf(new LinkManagement().description.subtitle!, resource, operation)).toBe(words);
	});

	it('is in words for the registry, too', () => {
		const { subtitle } = new CompanyRegistry().description;
		expect(subtitleOf(subtitle!, 'apiKey', 'getStatus')).toBe('Get Status: API Key');
	});
});
