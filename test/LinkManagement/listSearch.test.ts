import type { ILoadOptionsFunctions } from 'n8n-workflow';

import { searchChannelItems, searchDomainAddresses } from '../../nodes/LinkManagement/listSearch';

/** The editor with a panel that has these parameters, and a service with this response. */
function editor(parameters: Record<string, unknown>, body: object) {
	const requests: string[] = [];
	const context = {
		getNode: () => ({ name: 'Link Management', credentials: { linkManagementApi: {} } }),
		getCurrentNodeParameter: (name: string) => parameters[name],
		getCredentials: async () => ({ baseUrl: 'https://links.example', apiKey: 'key of the picker' }),
		helpers: {
			httpRequestWithAuthentication: async (_type: string, { url }: { url: string }) => {
				requests.push(url);
				return { statusCode: 200, headers: {}, body: JSON.stringify(body) };
			},
		},
	};
	return { context: context as unknown as ILoadOptionsFunctions, requests };
}

describe('the list of items that can be added to a channel', () => {
	it('shows QR codes when the item type is QR code', async () => {
		const qrs = [{ id: 7, name: 'Door' }];
		const { context, requests } = editor(
			{ itemType: 'qr' },
			{ error: 0, data: { maxpage: 1, qrs } },
		);
		const { results } = await searchChannelItems.call(context);
		expect(results).toEqual([{ name: 'Door (7)', value: '7' }]);
		expect(requests).toEqual(['/api/qr']);
	});

	it.each(['links', 'bio', undefined])(
		'says that the API does not list items of type %s',
		async (itemType) => {
			const { context, requests } = editor({ itemType }, {});
			const { results } = await searchChannelItems.call(context);
			expect(results).toEqual([
				{ name: expect.stringContaining('select By ID') as string, value: '' },
			]);
			expect(requests).toEqual([]);
		},
	);
});

describe('the list of domains for an upload', () => {
	it('selects the address of a domain', async () => {
		const domains = [{ id: 3, domain: 'https://go.example.com' }, { id: 4 }];
		const { context } = editor({}, { error: 0, data: { maxpage: 1, domains } });
		const { results } = await searchDomainAddresses.call(context);
		expect(results[0]).toEqual({
			name: 'https://go.example.com (3)',
			value: 'https://go.example.com',
		});
	});
});
