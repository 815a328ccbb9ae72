import { callAsTool } from '../engine/contexts';

import type { INodeParameters } from 'n8n-workflow';

import { CompanyRegistry } from '../../nodes/CompanyRegistry/CompanyRegistry.node';
import { LinkManagement } from '../../nodes/LinkManagement/LinkManagement.node';
import { agentToolsOf } from '../../tools/docs/agentTools';

const TOOLS = [
	['linkManagement', new LinkManagement().description] as const,
	['companyRegistry', new CompanyRegistry().description] as const,
].flatMap(([type, description]) =>
	agentToolsOf(description).map((tool) => [tool.title, type, tool] as const),
);

describe('Agent tools', () => {
	test.each(TOOLS)(
		'shows a model the description and fields that the docs list for "%s" (%s)',
		async (_title, type, documented) => {
			const { selection, description, fields } = documented;
			const parameters: INodeParameters = { ...selection };
			for (const [argument, { name, type: kind }] of fields) {
				const value = `={{ $fromAI('${argument}', '', 'string') }}`;
				parameters[name] = kind === 'resourceLocator' ? { __rl: true, mode: 'id', value } : value;
			}
			const { tool } = await callAsTool(type, parameters, {}, []);
			expect(tool.description).toBe(description);
			expect(Object.keys(tool.schema.shape)).toEqual(fields.map(([argument]) => argument));
		},
	);

	test('describes no two tools alike', () => {
		const texts = TOOLS.map(([, , { description }]) => description);
		expect(new Set(texts).size).toBe(texts.length);
	});
});
