import type { ILoadOptionsFunctions, INodeListSearchResult } from 'n8n-workflow';

import {
	searchChannelItems,
	searchDomainAddresses,
	searchLinks,
} from '../../nodes/LinkManagement/listSearch';

let keys = 0;

/** The editor with a panel that has these parameters, and a service with these responses. */
function editor(parameters: Record<string, unknown>, respond: (path: string) => object) {
	const requests: string[] = [];
	const apiKey = `key of picker ${++keys}`;
	const context = {
		getNode: () => ({ name: 'Link Management', credentials: { linkManagementApi: {} } }),
		getCurrentNodeParameter: (name: string) => parameters[name],
		getCredentials: async () => ({ baseUrl: 'https://links.example', apiKey }),
		helpers: {
			httpRequestWithAuthentication: async (_type: string, { url }: { url: string }) => {
				requests.push(url);
				const body = JSON.stringify({ error: 0, data: respond(url) });
				const headers = { 'x-ratelimit-limit': '1000', 'x-ratelimit-remaining': '999' };
				return { statusCode: 200, headers, body };
			},
		},
	};
	return { context: context as unknown as ILoadOptionsFunctions, requests };
}

const names = ({ results }: INodeListSearchResult) => results.map(({ name }) => name);

/** Channels 1 to `count`. Each has a link and a bio page of its own, and all have link 7. */
function channelsWithItems(count: number) {
	return (path: string) => {
		const id = Number(/\d+$/.exec(path)?.[0]);
		if (!id) {
			const rows = Array.from({ length: count }, (_, index) => ({ id: index + 1, name: 'C' }));
			return { maxpage: 1, channels: rows };
		}
		const items = [
			{ id: 100 + id, type: 'links', title: `Offer ${id}`, link: `https://lnk.example/${id}` },
			{ id: 100 + id, type: 'bio', title: `Team ${id}` },
			{ id: 7, type: 'links', title: '', link: 'https://lnk.example/seven' },
		];
		return { maxpage: 1, items };
	};
}

describe('the links that can be picked', () => {
	it('are those of the channels, by title or address, with a link to each', async () => {
		const { context, requests } = editor({}, channelsWithItems(1));
		expect(await searchLinks.call(context)).toEqual({
			results: [
				{ name: 'Offer 1 (101)', value: '101', url: 'https://lnk.example/1' },
				{
					name: 'https://lnk.example/seven (7)',
					value: '7',
					url: 'https://lnk.example/seven',
				},
			],
			paginationToken: undefined,
		});
		expect(requests).toEqual(['/api/channels', '/api/channel/1']);
	});

	it('come ten channels at a time, each channel read once', async () => {
		const { context, requests } = editor({}, channelsWithItems(23));
		const found: string[] = [];
		let token: string | undefined;
		const calls = [0, 0, 0].map(() => async () => {
			const result = await searchLinks.call(context, '', token);
			found.push(...names(result));
			token = result.paginationToken;
		});
		for (const call of calls) await call();
		expect(token).toBeUndefined();
		expect(found.filter((name) => name.startsWith('Offer'))).toHaveLength(23);
		expect(new Set(requests).size).toBe(requests.length);
	});

	it('are searched by what is typed, beyond the first channels', async () => {
		const { context } = editor({}, channelsWithItems(23));
		expect(names(await searchLinks.call(context, ' oFFer 21 '))).toEqual(['Offer 21 (121)']);
	});
});

describe('the items that can be added to a channel', () => {
	it.each([
		['links', ['Offer 1 (101)', 'https://lnk.example/seven (7)']],
		['bio', ['Team 1 (101)']],
	])('of type %s are those of all channels', async (itemType, expected) => {
		const { context } = editor({ itemType }, channelsWithItems(1));
		expect(names(await searchChannelItems.call(context))).toEqual(expected);
	});

	it('of type qr are the QR codes of the account', async () => {
		const qrs = [{ id: 7, name: 'Door', link: 'javascript:alert(1)' }];
		const { context, requests } = editor({ itemType: 'qr' }, () => ({ maxpage: 1, qrs }));
		const { results } = await searchChannelItems.call(context);
		expect(results).toEqual([{ name: 'Door (7)', value: '7', url: undefined }]);
		expect(requests).toEqual(['/api/qr']);
	});
});

test('a domain picked for an upload is its address', async () => {
	const domains = [{ id: 3, domain: 'https://go.example.com' }, { id: 4 }];
	const { context } = editor({}, () => ({ maxpage: 1, domains }));
	const { results } = await searchDomainAddresses.call(context);
	expect(results[0]).toMatchObject({
		name: 'https://go.example.com (3)',
		value: 'https://go.example.com',
	});
});
