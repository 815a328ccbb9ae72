import {
	findExample,
	activeOf,
	readExamples,
	triggerOf,
	type Example,
} from '../../tools/start/examples';
import { sandboxCredentials } from '../../tools/start/credentials';

const service = { baseUrl: 'http://sandbox', apiKey: 'key' };
const SANDBOX = {
	links: service,
	registry: { v1: service, unversioned: service },
} as Parameters<typeof sandboxCredentials>[0];

describe('the examples', () => {
	let examples: Example[];

	beforeAll(async () => {
		examples = await readExamples();
	});

	it('are found by name', () => {
		const [first] = examples as [Example];
		expect(findExample(examples, first.name)).toBe(first);
	});

	it('are named when a wrong name is asked for', () => {
		expect(() => findExample(examples, 'lunch')).toThrow(
			examples.map(({ name }) => name).join(', '),
		);
	});

	it('each bring an id, a trigger and a note that explains them', () => {
		for (const { name, workflow } of examples) {
			expect(workflow.id).toBe(name);
			expect(triggerOf(workflow)).toBeTruthy();
			expect(workflow.nodes.map(({ type }) => type)).toContain('n8n-nodes-base.stickyNote');
		}
	});

	it('have ids for which n8n stores what a trigger remembers', () => {
		// isWorkflowIdValid of n8n; for a longer one it neither stores static data nor says so.
		for (const { workflow } of examples) expect(workflow.id.length).toBeLessThanOrEqual(21);
	});

	it('are to be published where they bring a trigger of their own', () => {
		const events = activeOf(examples).flatMap(({ workflow }) =>
			workflow.nodes.map(({ parameters }) => parameters.event).filter(Boolean),
		);
		expect(events.sort()).toEqual(['companyStatusChanged', 'fileCreated', 'qrCodeScanned']);
	});

	it('use only credentials that are imported with them', () => {
		const imported = sandboxCredentials(SANDBOX).map(({ id, name, type }) => ({ id, name, type }));
		const used = examples
			.flatMap(({ workflow }) => workflow.nodes)
			.flatMap(({ credentials = {} }) => Object.entries(credentials))
			.map(([type, { id, name }]) => ({ id, name, type }));
		for (const credential of used) expect(imported).toContainEqual(credential);
	});

	it('connect only nodes that exist, and leave none unconnected', () => {
		for (const { workflow } of examples) {
			const names = workflow.nodes
				.filter(({ type }) => type !== 'n8n-nodes-base.stickyNote')
				.map(({ name }) => name);
			const connected = new Set([triggerOf(workflow), ...targetsOf(workflow.connections)]);
			expect([...connected].sort()).toEqual(names.sort());
		}
	});
});

function targetsOf(connections: Record<string, unknown>): string[] {
	const main = Object.values(connections) as Array<{ main: Array<Array<{ node: string }>> }>;
	return main.flatMap((outputs) => outputs.main.flat().map(({ node }) => node));
}
