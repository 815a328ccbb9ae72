import { additionalData, byId, jsonOf, node, nodeClasses, nodeTypes, PACKAGE } from './harness';

import { WorkflowExecute } from 'n8n-core';
import { createRunExecutionData, Workflow, type INodeParameters } from 'n8n-workflow';

import type { FaultInput } from '../../sandbox/shared/faults';
import { fakeService, type Respond } from '../fakeService';
import { callAsTool } from './contexts';
import {
	bench,
	continuing,
	ENTRY_POINTS,
	itemsOf,
	listOf,
	numbered,
	pairedWith,
	registryAt,
	registryOf,
	runAt,
	withCheckDigit,
	byName,
} from './support';
import type { LinkBench } from './support';

const settings = { retryOnFail: true, maxTries: 3, waitBetweenTries: 1 };

/** Creates campaigns whose names change with every evaluation. */
const create: INodeParameters = {
	resource: 'campaign',
	operation: 'create',
	campaignName: '=New {{ $json.id }} {{ $now.toMillis() }} {{ Math.random() }}',
};

/** How many campaigns were created for each item. */
function createdPerItem({ links }: LinkBench): number[] {
	const counts: number[] = [];
	for (const { name } of links.state.campaigns.all()) {
		const item = /^New (\d+) /.exec(name)?.[1];
		if (item) counts[Number(item) - 1] = (counts[Number(item) - 1] ?? 0) + 1;
	}
	return counts;
}

const account: INodeParameters = { resource: 'account', operation: 'get' };

const notFoundAtFirst: Respond = ({ number }) =>
	number === 1
		? { status: 404, body: { error: 1, message: 'Not found' } }
		: { error: 0, data: { id: 7 } };

const posts = ({ requests }: LinkBench) =>
	requests.filter(({ method }) => method === 'POST').length;

describe.each(ENTRY_POINTS)('Retry On Fail through %s', (_entryPoint, routed) => {
	test.each([
		['stopWorkflow', 1],
		// n8n retries only if the first item failed.
		['continueRegularOutput', 0],
	] as const)(
		'retries only failed writes, even if expressions return new values, with On Error set to %s',
		async (onError, after) => {
			const subject = await bench({ latencyMs: 5 });
			subject.links.inject({ method: 'POST', after, status: 500 });
			const trying = { ...settings, onError };
			const { items, error } = await subject.run(create, {
				...{ items: numbered(3), settings: trying, routed },
			});
			expect(error).toBeUndefined();
			expect(jsonOf(items).filter((json) => 'error' in json)).toEqual([]);
			expect(pairedWith(items)).toEqual([0, 1, 2]);
			expect(createdPerItem(subject)).toEqual([1, 1, 1]);
			expect(posts(subject)).toBe(4);
		},
	);

	test.each<[string, FaultInput]>([
		['confirmation can’t be read', { status: 200, body: '{"error":0,' }],
		['gateway gives up', { status: 504, body: 'Gateway Timeout', carryOut: true }],
		['connection breaks', { cut: 'before-any-byte', carryOut: true }],
	])('doesn’t repeat a write whose %s', async (_, failure) => {
		const subject = await bench();
		subject.links.inject({ method: 'POST', times: 3, ...failure });
		const { error } = await subject.run(create, { items: numbered(1), settings, routed });
		expect(error).toBeDefined();
		expect(posts(subject)).toBe(1);
	});

	test('sends a failed GET again', async () => {
		const service = await fakeService(notFoundAtFirst);
		const { items, error } = await runAt(service, account, { settings, routed });
		expect(error).toBeUndefined();
		expect(jsonOf(items)).toEqual([{ id: 7 }]);
		expect(service.requests).toHaveLength(2);
	});

	test('doesn’t repeat any write because another item has invalid request options', async () => {
		const subject = await bench();
		const { error } = await subject.run(
			{ ...create, requestOptions: { timeout: '={{ $json.id === 2 ? "soon" : 5000 }}' } },
			{ items: numbered(3), settings, routed },
		);
		expect(error?.message).toBe(
			'The parameter "Timeout" must be a whole number from 0 to 2147483647, but it is "soon" [item 1]',
		);
		// n8n tries three times, and may write each item only once.
		expect(Math.max(0, ...createdPerItem(subject).filter(Boolean))).toBeLessThanOrEqual(1);
	});
});

describe('Retry On Fail', () => {
	test('remembers which record had a name even if an earlier try has deleted it', async () => {
		const subject = await bench();
		const [first, second] = subject.links.state.channels.all();
		subject.links.inject({ method: 'DELETE', after: 1, status: 400, body: { error: 1 } });
		const channelId = byName('={{ $json.name }}');
		const { items, error } = await subject.run(
			{ resource: 'channel', operation: 'delete', channelId },
			{ items: itemsOf({ name: first!.name }, { name: second!.name }), settings },
		);
		expect(error).toBeUndefined();
		expect(jsonOf(items)).toEqual([
			{ deleted: true, id: first!.id },
			{ deleted: true, id: second!.id },
		]);
	});

	test('writes again if the same items reach the node twice in one execution', async () => {
		const subject = await bench();
		nodeClasses['test.start'] = {
			description: nodeClasses['test.items']!.description,
			execute: async () => [numbered(2)],
		};
		const target = {
			...node('Subject', `${PACKAGE}.linkManagement`, create),
			...settings,
			credentials: { linkManagementApi: { id: '1', name: 'Links' } },
		};
		const start = node('Start', 'test.start', {});
		const toSubject = { node: 'Subject', type: 'main' as const, index: 0 };
		const workflow = new Workflow({
			id: 'twice',
			nodes: [start, target],
			connections: { Start: { main: [[toSubject, toSubject]] } },
			active: false,
			nodeTypes,
		});
		await workflow.expression.acquireIsolate();
		try {
			const additional = additionalData({ linkManagementApi: subject.credential });
			const execution = new WorkflowExecute(additional, 'manual', createRunExecutionData({}));
			const { data } = await execution.run({ workflow, startNode: start });
			expect(data.resultData.runData.Subject).toHaveLength(2);
			expect(createdPerItem(subject)).toEqual([2, 2]);
		} finally {
			await workflow.expression.releaseIsolate();
		}
	});

	test('writes once for each of several items that are the same object', async () => {
		const subject = await bench();
		const [item] = numbered(1);
		const { items } = await subject.run(create, { items: [item!, item!, item!], settings });
		expect(items).toHaveLength(3);
		expect(createdPerItem(subject)).toEqual([3]);
	});

	test('writes exactly once for each call of an agent, even if a call is retried', async () => {
		const subject = await bench();
		subject.links.inject({ method: 'POST', status: 500 });
		const { answers } = await callAsTool(
			'linkManagement',
			{ ...create, campaignName: "={{ $fromAI('name') }}" },
			{ linkManagementApi: subject.credential },
			[{ name: 'New 1 ' }, { name: 'New 1 ' }, { name: 'New 2 ' }],
			settings,
		);
		expect(answers.map((answer) => (JSON.parse(answer) as object[])[0])).toEqual([
			expect.objectContaining({ name: 'New 1' }),
			expect.objectContaining({ name: 'New 1' }),
			expect.objectContaining({ name: 'New 2' }),
		]);
		expect(posts(subject)).toBe(4);
	});
});

describe('Retry On Fail with an output whose first item has a field "error", which n8n takes for a failure', () => {
	test.each(['', 'no phone number'])(
		'Enrich looks a row with the column %j up once',
		async (error) => {
			const idno = withCheckDigit('100000000001');
			const companies = [{ idno, name: 'Zefirul SRL', status: 'active' }];
			const { run, requests } = await registryAt(registryOf(companies));
			const { items } = await run(
				{ resource: 'company', operation: 'enrich' },
				{ items: itemsOf({ idno, error }, { idno: '', error }), settings },
			);
			expect(jsonOf(items)[0]).toMatchObject({ error, registry_name: 'Zefirul SRL' });
			expect(requests).toHaveLength(1);
		},
	);

	test.each<INodeParameters>([
		{ resource: 'campaign', operation: 'getAll' },
		{ resource: 'apiRequest', operation: 'send', path: '/api/x' },
		{ resource: 'apiRequest', operation: 'send', path: '/api/x', returnAllPages: true },
	])('%j reads a record once', async (parameters) => {
		const service = await fakeService(() => listOf('campaign', [{ id: 1, error: 'x' }]));
		const { items } = await runAt(service, parameters, { settings });
		expect(items).toHaveLength(1);
		expect(service.requests).toHaveLength(1);
	});
});

test('without Retry On Fail, a failed GET isn’t sent again for other items', async () => {
	const service = await fakeService(notFoundAtFirst);
	const { items } = await runAt(service, account, { items: numbered(25), ...continuing });
	expect(jsonOf(items).filter(({ error }) => error !== undefined)).toHaveLength(25);
	expect(service.requests).toHaveLength(1);
});

test('Retry On Fail sends an item’s update again if it has repeated an earlier one of the same record, so the last item wins', async () => {
	let count = 0;
	const arrived: string[] = [];
	const service = await fakeService(({ json, path }) => {
		if (++count === 1) return { status: 500, body: { error: 1, message: 'Busy' } };
		arrived.push(`${path.split('/')[3]} ${(json as { description: string }).description}`);
		return { error: 0 };
	});
	const update = {
		...{ resource: 'channel', operation: 'update', channelId: byId('={{ $json.id }}') },
		channelFields: { description: '={{ $json.text }}' },
	};
	const items = itemsOf(
		{ id: 7, text: 'first' },
		{ id: 7, text: 'last' },
		{ id: 8, text: 'other' },
	);
	const continuing = { ...settings, onError: 'continueRegularOutput' as const };
	const { error } = await runAt(service, update, { items, settings: continuing });
	expect(error).toBeUndefined();
	expect(arrived.filter((each) => each.startsWith('7')).at(-1)).toBe('7 last');
	expect(arrived.filter((each) => each.startsWith('8'))).toEqual(['8 other']);
});

test.each(['PATCH', 'DELETE'])(
	'Retry On Fail doesn’t repeat a %s that the service may have carried out, and the error asks to check',
	async (method) => {
		const service = await fakeService(() => ({ status: 504, body: 'Gateway timeout' }));
		const request = { resource: 'apiRequest', operation: 'send', method, path: '/api/links/7' };
		const { error } = await runAt(service, request, { settings });
		expect(service.requests).toHaveLength(1);
		expect(error?.description).toContain('may have processed the request. Check that first');
	},
);
