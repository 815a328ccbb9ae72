import { searchList } from '../engine/contexts';

import type { INodeListSearchResult } from 'n8n-workflow';

import { bench } from '../engine/support';
import { fakeService } from '../fakeService';

// Paging, searching and failures: test/shared/node/listSearch.test.ts.

type ListRequest = Parameters<typeof searchList>[3];

const search = async (
	{ credential }: { credential: { baseUrl: string; apiKey: string } },
	method: string,
	request?: ListRequest,
) => await searchList('linkManagement', method, { linkManagementApi: credential }, request);

const names = ({ results }: INodeListSearchResult) => results.map(({ name }) => name);

describe('the list of records', () => {
	it.each([
		['searchCampaigns', '/api/campaigns', 75],
		['searchChannels', '/api/channels', 60],
		['searchDomains', '/api/domains', 55],
		['searchPixels', '/api/pixels', 70],
		['searchQrCodes', '/api/qr', 90],
	])('of %s shows those of %s with their ids', async (method, path, count) => {
		const subject = await bench({ maxPageSize: 100 });
		const { results } = await search(subject, method);
		expect(new Set(results.map(({ value }) => value)).size).toBe(count);
		for (const { name, value } of results) {
			expect(name).toMatch(new RegExp(`^(?!undefined)\\S.* \\(${value}\\)$`));
		}
		expect(subject.requests).toMatchObject([{ path, query: { limit: '100', page: '1' } }]);
	});

	it('is not that of another account', async () => {
		const [one, other] = [await bench({ maxPageSize: 100 }), await bench({ maxPageSize: 100 })];
		other.links.control.addRow('pixels', { name: 'Only here' });
		await search(one, 'searchPixels');
		expect(names(await search(other, 'searchPixels'))[0]).toBe('Only here (71)');
	});

	it.each([
		['searchCampaigns', 'campaigns', { domain: 'Spring' }, 'Spring (3)', '3'],
		['searchQrCodes', 'qrs', { link: 'https://lnk.md/q' }, 'https://lnk.md/q (3)', '3'],
		[
			'searchDomainAddresses',
			'domains',
			{ domain: 'https://a.md' },
			'https://a.md (3)',
			'https://a.md',
		],
	])('of %s has names: %s %j', async (method, key, row, name, value) => {
		const service = await fakeService(() => ({ error: 0, data: { [key]: [{ id: 3, ...row }] } }));
		const { results } = await search(service, method);
		expect(results).toMatchObject([{ name, value }]);
	});
});

/**
 * Channels 1 to `count`. Each has a link and a bio page of its own, and all have link 7.
 *
 * @param missing a channel that is listed, but does not exist any more
 */
async function channelsWithItems(count: number, missing?: number) {
	return await fakeService(({ path }) => {
		const id = Number(/\d+$/.exec(path)?.[0]);
		if (!id) {
			const channels = Array.from({ length: count }, (_, index) => ({ id: index + 1, name: 'C' }));
			return { error: 0, data: { maxpage: 1, channels } };
		}
		if (id === missing) return { status: 404, body: { error: 1, message: 'No such channel' } };
		const items = [
			{ id: 100 + id, type: 'links', title: `Offer ${id}`, link: `https://lnk.example/${id}` },
			{ id: 100 + id, type: 'bio', title: `Team ${id}` },
			{ id: 7, type: 'links', title: '', link: 'https://lnk.example/seven' },
		];
		return { error: 0, data: { maxpage: 1, items } };
	});
}

describe('the links that can be picked', () => {
	it('are those of the channels, by title or address, with a link to each', async () => {
		const service = await channelsWithItems(1);
		expect((await search(service, 'searchLinks')).results).toEqual([
			{ name: 'Offer 1 (101)', value: '101', url: 'https://lnk.example/1' },
			{ name: 'https://lnk.example/seven (7)', value: '7', url: 'https://lnk.example/seven' },
		]);
	});

	it('are each listed once, also if a channel was deleted meanwhile', async () => {
		const service = await channelsWithItems(3, 2);
		const found = names(await search(service, 'searchLinks'));
		expect(found).toEqual(['Offer 1 (101)', 'https://lnk.example/seven (7)', 'Offer 3 (103)']);
	});

	it('come ten channels at a time, each channel read once', async () => {
		const service = await channelsWithItems(23);
		const found: string[] = [];
		let token: string | undefined;
		for (let page = 0; page < 3; page++) {
			const result = await search(service, 'searchLinks', { token });
			found.push(...names(result));
			token = result.paginationToken as string | undefined;
		}
		expect(token).toBeUndefined();
		expect(found.filter((name) => name.startsWith('Offer'))).toHaveLength(23);
		expect(new Set(service.lines()).size).toBe(service.requests.length);
	});

	it('are searched by what is typed, beyond the first channels', async () => {
		const service = await channelsWithItems(23);
		const found = await search(service, 'searchLinks', { filter: ' oFFer 21 ' });
		expect(names(found)).toEqual(['Offer 21 (121)']);
	});
});

describe('the items that can be added to a channel', () => {
	it.each([
		['links', ['Offer 1 (101)', 'https://lnk.example/seven (7)']],
		['bio', ['Team 1 (101)']],
	])('of type %s are those of all channels', async (itemType, expected) => {
		const service = await channelsWithItems(1);
		const found = await search(service, 'searchChannelItems', { parameters: { itemType } });
		expect(names(found)).toEqual(expected);
	});

	it('of type qr are the QR codes of the account, without links to scripts', async () => {
		const qrs = [{ id: 7, name: 'Door', link: 'javascript:alert(1)' }];
		const service = await fakeService(() => ({ error: 0, data: { maxpage: 1, qrs } }));
		const parameters = { itemType: 'qr' };
		const { results } = await search(service, 'searchChannelItems', { parameters });
		expect(results).toEqual([{ name: 'Door (7)', value: '7', url: undefined }]);
		expect(service.lines()).toEqual(['GET /api/qr?limit=100&page=1']);
	});
});
