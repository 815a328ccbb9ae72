import type { INodeProperties, INodeTypeDescription } from 'n8n-workflow';

import { CompanyRegistry } from '../../nodes/CompanyRegistry/CompanyRegistry.node';
import { LinkManagement } from '../../nodes/LinkManagement/LinkManagement.node';
import { entriesOf } from '../../tools/docs/description';
import { parametersOf } from '../../tools/docs/parameters';
import { reference } from '../../tools/docs/reference';

const events = ['Opened', 'Moved', 'Closed', 'Lost', 'Found'].map((name) => ({
	name,
	value: name.toLowerCase(),
	description: `When a door is ${name.toLowerCase()}`,
}));

function field(name: string, more: Partial<INodeProperties> = {}): INodeProperties {
	return { displayName: name, name: name.toLowerCase(), type: 'string', default: '', ...more };
}

const trigger = {
	displayName: 'Door Trigger',
	properties: [
		field('Event', { type: 'options', options: events }),
		field('Note', { type: 'notice' }),
		field('Size', {
			type: 'number',
			typeOptions: { minValue: 1, maxValue: 9 },
			default: 3,
			description: 'How high | wide',
			displayOptions: { show: { event: ['opened', 'closed'] } },
		}),
		field('Kind', {
			type: 'options',
			default: 'a',
			required: true,
			displayOptions: { hide: { event: ['moved'] } },
			options: [
				{ name: 'A Kind', value: 'a', description: 'One' },
				{ name: 'B Kind', value: 'b' },
			],
		}),
		field('Key', {
			placeholder: 'e.g. abc',
			hint: 'On the back',
			displayOptions: { show: { event: ['lost'], kind: ['b'] } },
		}),
		field('Options', {
			type: 'collection',
			options: [
				field('Color', { type: 'color', displayOptions: { show: { '/event': ['lost'] } } }),
			],
		}),
	],
} as unknown as INodeTypeDescription;

describe('the reference', () => {
	let lines: string[];

	beforeAll(async () => {
		const samples: Record<string, object> = { lost: { list: [1, 2] }, found: { id: 1, by: 'me' } };
		const text = await reference(trigger, async ({ event = '' }) =>
			Promise.resolve({ ...(samples[event] ?? { id: 7, by: 'x'.repeat(90) }) }),
		);
		lines = text.split('\n');
	});

	it.each([
		['an event', '| Opened | When a door is opened |'],
		['a range', '| Size | Opened, Closed | number, 1 to 9 | 3 | How high \\| wide. |'],
		['choices', '| Kind | all but Moved | choice, required | A Kind | *A Kind*: One<br>*B Kind* |'],
		[
			'a condition, hint and placeholder',
			'| Key | Lost | text |  | On the back. Shown when *Kind* is B Kind. E.g. abc |',
		],
		['a field of a collection', '| Options → Color | Lost | color |  |  |'],
		['output that several events share, once', '// Opened, Moved, Closed, Found'],
		['only the first entry of a list', '{ "list": [ 1 ] }'],
	])('shows %s', (_, line) => {
		expect(lines).toContain(line);
	});

	it('leaves out notices', () => {
		expect(lines.join()).not.toContain('Note');
	});

	it.each([new LinkManagement().description, new CompanyRegistry().description])(
		'has no parameter that no operation of $displayName shows',
		(description) => {
			const parameters = parametersOf(description, entriesOf(description));
			const unused = parameters.filter(({ usedBy }) => usedBy.length === 0);
			expect(unused.map(({ label }) => label)).toEqual([]);
		},
	);
});
