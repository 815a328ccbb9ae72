import type { INodeProperties, INodePropertyCollection } from 'n8n-workflow';

import { CompanyRegistry } from '../../../nodes/CompanyRegistry/CompanyRegistry.node';
import { CompanyRegistryTrigger } from '../../../nodes/CompanyRegistry/CompanyRegistryTrigger.node';
import { LinkManagement } from '../../../nodes/LinkManagement/LinkManagement.node';
import { LinkManagementTrigger } from '../../../nodes/LinkManagement/LinkManagementTrigger.node';

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

/** All lists of fields and choices, at any depth. */
function listsIn(fields: INodeProperties[]): object[] {
	return fields.flatMap((field) => {
		const { options = [], values } = field as INodeProperties & Partial<INodePropertyCollection>;
		const inside = [...options, ...(values ?? [])] as INodeProperties[];
		return [field.options, values, ...listsIn(inside)].filter((list) => list !== undefined);
	});
}

/** What n8n does when it loads a node whose credential works in HTTP Request. */
function addCustomApiCall(fields: INodeProperties[]): void {
	for (const { name, options } of fields) {
		if (!['resource', 'operation'].includes(name)) continue;
		options!.push({ name: 'Custom API Call', value: '__CUSTOM_API_CALL__' });
	}
}

it.each(
	[LinkManagement, LinkManagementTrigger, CompanyRegistry, CompanyRegistryTrigger].map(
		(Node) => [Node.name, Node] as const,
	),
)('%s can be loaded again after n8n has added "Custom API Call" to its lists', (_, Node) => {
	const [first, second] = [new Node().description, new Node().description];
	expect(listsIn(first.properties).length).toBeGreaterThan(1);
	for (const list of listsIn(first.properties)) {
		expect(listsIn(second.properties).some((other) => other === list)).toBe(false);
	}
	addCustomApiCall(first.properties);
	expect(JSON.stringify(new Node().description)).toBe(JSON.stringify(second));
});
