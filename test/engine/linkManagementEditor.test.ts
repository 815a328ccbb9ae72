import { callAsTool, searchList } from './contexts';

import { byId } from './harness';
import type { LinkBench } from './support';
import { bench } from './support';

const TYPE = 'linkManagementApi';
describe('"From List"', () => {
	const lists = [
		['searchCampaigns', '/api/campaigns', 75],
		['searchChannels', '/api/channels', 60],
		['searchDomains', '/api/domains', 55],
		['searchPixels', '/api/pixels', 70],
		['searchQrCodes', '/api/qr', 90],
	] as const;

	const search = async (
		{ credential }: LinkBench,
		method: string,
		how?: { filter?: string; token?: string },
	) => await searchList('linkManagement', method, { [TYPE]: credential }, how);

	test.each(lists)('%s shows the records of %s with their ids, page by page', async (...row) => {
		const [method, path, count] = row;
		const subject = await bench();
		const first = await search(subject, method);
		expect(first.results).toHaveLength(50);
		expect(first.paginationToken).toBe('2');
		for (const { name, value } of first.results) {
			expect(value).toMatch(/^[1-9]\d*$/);
			expect(name).toMatch(new RegExp(`^\\S.* \\(${value}\\)$`));
			expect(name).not.toContain('undefined');
		}
		const second = await search(subject, method, { token: '2' });
		expect(second.results).toHaveLength(count - 50);
		expect(second.paginationToken).toBeUndefined();
		const values = [...first.results, ...second.results].map(({ value }) => value);
		expect(new Set(values).size).toBe(count);
		expect(subject.requests.map(({ path: asked, query }) => [asked, query])).toEqual([
			[path, { limit: '100', page: '1' }],
			[path, { limit: '100', page: '2' }],
		]);
	});

	test('does not mix the lists of two accounts', async () => {
		const [one, other] = [await bench({ maxPageSize: 100 }), await bench({ maxPageSize: 100 })];
		other.links.control.addRow('pixels', { name: 'Only here' });
		await search(one, 'searchPixels');
		expect((await search(other, 'searchPixels')).results[0]!.name).toBe('Only here (71)');
	});

	test('sends the request again after a failure, and explains the failure', async () => {
		const subject = await bench();
		subject.links.inject({ status: 401, body: { error: 1, message: 'The API key has expired' } });
		await expect(search(subject, 'searchPixels')).rejects.toMatchObject({
			message: 'Link Management did not accept the API key',
		});
		expect((await search(subject, 'searchPixels')).results).toHaveLength(50);
	});

	test('shows a campaign whose name is returned as "domain", and the link of a code without a name', async () => {
		const subject = await bench({ campaignNameKey: 'domain' });
		const { results } = await search(subject, 'searchCampaigns');
		expect(results.every(({ name }) => /^[A-Z]/.test(name))).toBe(true);
		subject.links.inject({
			status: 200,
			body: { error: 0, data: { qrs: [{ id: 3, link: 'https://lnk.example/q' }], maxpage: 1 } },
		});
		expect((await search(subject, 'searchQrCodes')).results).toEqual([
			{ name: 'https://lnk.example/q (3)', value: '3', url: 'https://lnk.example/q' },
		]);
	});
});

describe('as a tool of an agent', () => {
	test('sends a look-up each time, because the agent may have changed something', async () => {
		const { credential, lines } = await bench();
		const { answers } = await callAsTool(
			'linkManagement',
			{
				resource: 'qrCode',
				operation: 'get',
				qrCodeId: { ...byId(0), value: "={{ $fromAI('id', '', 'number') }}" },
			},
			{ [TYPE]: credential },
			[{ id: 3 }, { id: 3 }],
		);
		expect(lines()).toEqual(['GET /api/qr/3 200', 'GET /api/qr/3 200']);
		expect(JSON.parse(answers[1]!)).toMatchObject([{ id: 3 }]);
	});

	test('tells the agent what went wrong and how to fix it', async () => {
		const { credential, requests } = await bench();
		const { answers } = await callAsTool(
			'linkManagement',
			{
				resource: 'channel',
				operation: 'delete',
				channelId: { ...byId(0), value: "={{ $fromAI('id', '', 'string') }}" },
			},
			{ [TYPE]: credential },
			[{ id: 'the first one' }, { id: '9999' }, { id: '5' }],
		);
		expect(answers[0]).toMatch(
			/The parameter "Channel" must be a positive whole number, but it is "the first one"/,
		);
		expect(answers[1]).toMatch(/Channel does not exist/);
		expect(JSON.parse(answers[2]!)).toEqual([{ deleted: true, id: 5 }]);
		expect(requests).toHaveLength(2);
	});
});
