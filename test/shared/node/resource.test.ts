import { CompanyRegistry } from '../../../nodes/CompanyRegistry/CompanyRegistry.node';
import { LinkManagement } from '../../../nodes/LinkManagement/LinkManagement.node';

/** A node's subtitle, as n8n evaluates it. */
function subtitleOf(subtitle: string, resource: string, operation: string): unknown {
	const expression = /^=\{\{(.*)\}\}$/s.exec(subtitle)![1]!;
	return new Function('$parameter', `return ${expression}`)({ resource, operation });
}

it.each([
	['ctaOverlay', 'getAll', 'Get Many: CTA Overlay', new LinkManagement()],
	['campaign', 'upsert', 'Create or Update: Campaign', new LinkManagement()],
	['qrCode', 'get', 'Get: QR Code', new LinkManagement()],
	['apiRequest', 'send', 'Send: Custom API Request', new LinkManagement()],
	['made by an expression', 'too', 'too: made by an expression', new LinkManagement()],
	['apiKey', 'getStatus', 'Get Status: Quota', new CompanyRegistry()],
])('shows %s %s as the subtitle "%s"', (resource, operation, words, node) => {
	expect(subtitleOf(node.description.subtitle!, resource, operation)).toBe(words);
});
