import { callAsTool } from '../engine/contexts';
import { registryAt, registryOf, withCheckDigit } from '../engine/support';

import type { INodeParameters, INodeProperties, INodeTypeDescription } from 'n8n-workflow';

import { CompanyRegistry } from '../../nodes/CompanyRegistry/CompanyRegistry.node';
import { LinkManagement } from '../../nodes/LinkManagement/LinkManagement.node';
import { operationsIn } from '../../nodes/shared/node/operation';

const NODES = [new LinkManagement().description, new CompanyRegistry().description];
/** Types of fields that n8n's editor lets the model fill in. */
const FILLED_BY_MODEL = ['boolean', 'json', 'number', 'resourceLocator', 'string'];

/** A tool with all fields that are always shown left to the model. */
function parametersOf({ properties }: INodeTypeDescription, selection: Record<string, string>) {
	const isShown = ({ displayOptions: { show = {} } = {} }: INodeProperties) =>
		Object.entries(show).every(([name, values]) => values?.includes(selection[name] ?? ''));
	const parameters: INodeParameters = { ...selection };
	for (const property of properties) {
		const { displayName, name, type } = property;
		if (name in selection || !FILLED_BY_MODEL.includes(type) || !isShown(property)) continue;
		// The argument's name as n8n's editor writes it for "Let the model define this parameter".
		const argument = displayName.replace(/[^a-zA-Z0-9-]/g, '_').slice(0, 63);
		const value = `={{ $fromAI('${argument}', '', 'string') }}`;
		parameters[name] = type === 'resourceLocator' ? { __rl: true, mode: 'id', value } : value;
	}
	return parameters;
}

test('a model can tell all operations apart by their descriptions, and fill in their fields', async () => {
	const tools: Record<string, string> = {};
	for (const description of NODES) {
		for (const { resource, option } of operationsIn(description.properties)) {
			const operation = String(option.value);
			const parameters = parametersOf(description, { resource, operation });
			const { tool } = await callAsTool(description.name, parameters, {}, []);
			const fields = Object.keys(tool.schema.shape).join(', ');
			tools[`${resource}.${operation} (${description.name})`] = `${tool.description}: ${fields}`;
		}
	}
	expect(tools).toMatchObject({
		'account.get (linkManagement)': 'Get account and plan in Link Management: ',
		'campaign.addLink (linkManagement)':
			'Add link to campaign in Link Management: Campaign, Link_ID',
		'company.get (companyRegistry)':
			'Get company by name or IDNO in Company Registry: Company_Name_or_IDNO',
	});
	const texts = Object.values(tools).map((text) => text.split(': ')[0]);
	expect(new Set(texts).size).toBe(texts.length);
});

test('a new tool for Company: Search returns ten companies with their most important fields', async () => {
	const companies = Array.from({ length: 12 }, (_, index) => ({
		idno: withCheckDigit(String(100_000_000_000 + index)),
		name: `Zefirul ${index} SRL`,
		contacts: { email: 'a@example.md' },
	}));
	const { credential } = await registryAt(registryOf(companies));
	const { answers } = await callAsTool(
		'companyRegistry',
		{ resource: 'company', operation: 'search', q: "={{ $fromAI('q') }}" },
		{ companyRegistryApi: credential },
		[{ q: 'Zefirul' }],
	);
	const found = JSON.parse(answers[0]!) as object[];
	expect(found).toHaveLength(11);
	expect(found[0]).not.toHaveProperty('contacts');
	expect(found.at(-1)).toMatchObject({ truncated: true, returned: 10 });
});
