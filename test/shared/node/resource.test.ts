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

it('tells AI builders what an operation does, which fields it returns, and how to use it', () => {
	const hints = new LinkManagement().description.builderHint?.extraTypeDefContent ?? [];
	const about = (resource: string, operation: string) =>
		hints.filter(({ displayOptions: { show = {} } = {} }) => {
			return show.resource?.includes(resource) && show.operation?.includes(operation);
		});
	expect(about('file', 'upload').map(({ content }) => content)).toEqual([
		[
			'Upload a file and get a short link to download it',
			'Output: { id: number, name: string, shorturl: string }',
			'The input item needs the file as binary data. shorturl is the link to share.',
		].join('\n'),
	]);
	expect(about('campaign', 'upsert').map(({ content }) => content)).toEqual([
		expect.stringMatching(/\bcreated: boolean }\ncreated says whether the campaign is new\.$/),
	]);
	expect(about('apiRequest', 'send').map(({ content }) => content)).toEqual([
		'Call any endpoint, including those without their own operation',
	]);
});

it('tells AI builders what each choice means', () => {
	const options = new LinkManagement().description.properties.find(
		({ name }) => name === 'options',
	);
	expect(options?.options).toMatchObject([
		{
			name: 'onRateLimit',
			builderHint: { propertyHint: expect.stringMatching(/^fail: Stop .*; wait: Wait /) as string },
		},
	]);
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
