import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { INode } from 'n8n-workflow';
import { CREDENTIALS, readExamples, triggerOf, type Example } from '../../tools/examples';
import { PROJECT_DIR } from '../../tools/package';

const NOTE = 'n8n-nodes-base.stickyNote';
const NODE_SIZE = 96;
const AGENT_WIDTH = 256;
/** Room below a node for its name in two lines and its subtitle. */
const LABEL_HEIGHT = 70;

describe('Examples', () => {
	let examples: Example[];

	beforeAll(async () => {
		examples = await readExamples();
	});

	it('every example has an ID, a trigger, known credentials, and a note about setup and cost', () => {
		for (const { name, workflow } of examples) {
			expect(workflow.id).toBe(name);
			// n8n's isWorkflowIdValid: for a longer ID, n8n silently stores no static data.
			expect(workflow.id.length).toBeLessThanOrEqual(21);
			expect(workflow).not.toHaveProperty('active', true);
			expect(triggerOf(workflow)).toBeTruthy();
			const about = workflow.nodes.find((node) => node.name === 'About');
			expect(about?.type).toBe(NOTE);
			expect(about?.parameters.content).toMatch(/^## .*\*\*To use it.*\*\*What it costs:\*\*/s);
			const used = workflow.nodes.flatMap(({ credentials = {} }) => Object.values(credentials));
			for (const { id } of used) expect(Object.keys(CREDENTIALS)).toContain(id);
		}
	});

	it('every example has the same name in its workflow, its note and docs/examples.md', async () => {
		const page = await readFile(join(PROJECT_DIR, 'docs', 'examples.md'), 'utf8');
		const linked = page.match(/\[[^\]]+\]\(\.\.\/examples\/[^)]+\)/g) ?? [];
		const links = examples.map(
			({ name, workflow }) => `[${workflow.name}](../examples/${name}.json)`,
		);
		expect(linked.sort()).toEqual(links.sort());
		for (const { workflow } of examples) {
			const about = workflow.nodes.find((node) => node.name === 'About');
			expect(String(about?.parameters.content).split('\n')[0]).toBe(`## ${workflow.name}`);
		}
	});

	it('no node of an example overlaps another node or the edge of a note', () => {
		for (const { name, workflow } of examples) {
			const areas = workflow.nodes.map((node) => ({ node, ...areaOf(node) }));
			for (const area of areas.filter(({ node }) => node.type !== NOTE)) {
				const wrong = areas
					.filter((other) => other !== area && overlaps(area, other))
					.filter((other) => other.node.type !== NOTE || !contains(other, area))
					.map(({ node }) => `${name}: ${area.node.name} and ${node.name}`);
				expect(wrong).toEqual([]);
			}
		}
	});

	it('every example connects all of its nodes, and no others', () => {
		for (const { workflow } of examples) {
			const names = workflow.nodes.filter(({ type }) => type !== NOTE).map(({ name }) => name);
			const connected = new Set([triggerOf(workflow), ...connectedBy(workflow.connections)]);
			expect([...connected].sort()).toEqual(names.sort());
		}
	});
});

type Connections = Record<string, Record<string, Array<Array<{ node: string }>>>>;

/** The nodes that connections lead to, and the tools and models that serve an agent. */
function connectedBy(connections: Record<string, unknown>): string[] {
	return Object.entries(connections as Connections).flatMap(([from, byType]) =>
		Object.entries(byType).flatMap(([type, outputs]) =>
			type === 'main' ? outputs.flat().map(({ node }) => node) : [from],
		),
	);
}

type Area = Record<'left' | 'top' | 'right' | 'bottom', number>;

/** A node's box as the editor draws it, with its name below. Agents are wider. */
function areaOf({ type, position: [left, top], parameters }: INode): Area {
	const isAgent = type === '@n8n/n8n-nodes-langchain.agent';
	const width = type === NOTE ? Number(parameters.width) : isAgent ? AGENT_WIDTH : NODE_SIZE;
	const height = type === NOTE ? Number(parameters.height) : NODE_SIZE + LABEL_HEIGHT;
	return { left, top, right: left + width, bottom: top + height };
}

function overlaps(a: Area, b: Area): boolean {
	return a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;
}

function contains(outer: Area, { left, top, right, bottom }: Area): boolean {
	const isInColumn = outer.left <= left && right <= outer.right;
	return isInColumn && outer.top <= top && bottom <= outer.bottom;
}
