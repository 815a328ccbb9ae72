import type { INodeListSearchResult } from 'n8n-workflow';

import { LinkManagement } from '../../nodes/LinkManagement/LinkManagement.node';
import { searchList } from '../engine/contexts';
import { bench } from '../engine/support';
import { fakeService } from '../fakeService';

// test/shared/node/listSearch.test.ts covers paging, searching and failures.

type ListRequest = Parameters<typeof searchList>[3];

const search = async (
	{ credential }: { credential: { baseUrl: string; apiKey: string } },
	method: string,
	request?: ListRequest,
) => await searchList('linkManagement', method, { linkManagementApi: credential }, request);

const names = ({ results }: INodeListSearchResult) => results.map(({ name }) => name);

describe('Link Management pickers', () => {
	it.each([
		['searchCampaigns', '/api/campaigns', 75],
		['searchChannels', '/api/channels', 60],
		['searchDomains', '/api/domains', 55],
		['searchPixels', '/api/pixels', 70],
		['searchQrCodes', '/api/qr', 90],
	])('%s lists the records of %s by name and ID', async (method, path, count) => {
		const subject = await bench({ maxPageSize: 100 });
		const { results } = await search(subject, method);
		expect(new Set(results.map(({ value }) => value)).size).toBe(count);
		for (const { name, value } of results) {
			expect(name).toMatch(new RegExp(`^(?!undefined)\\S.* \\(${value}\\)$`));
		}
		expect(subject.requests).toMatchObject([{ path, query: { limit: '100', page: '1' } }]);
	});

	it('choosing a Short Link Domain enters its address, because an upload needs the address', async () => {
		const { properties } = new LinkManagement().description;
		const [, method = ''] =
			/"Short Link Domain".*?"searchListMethod":"(\w+)"/.exec(JSON.stringify(properties)) ?? [];
		const { results } = await search(await bench({ maxPageSize: 100 }), method);
		expect(results.length).toBeGreaterThan(1);
		for (const { value } of results) expect(value).toMatch(/^https?:/);
	});

	it('never lists the records of another account', async () => {
		const [one, other] = [await bench({ maxPageSize: 100 }), await bench({ maxPageSize: 100 })];
		other.links.control.addRow('pixels', { name: 'Only here' });
		await search(one, 'searchPixels');
		expect(names(await search(other, 'searchPixels'))[0]).toBe('Only here (71)');
	});

	it('keeps a list while a user types, but reads it again when its picker is opened', async () => {
		const subject = await bench({ maxPageSize: 100 });
		subject.links.control.addRow('pixels', { name: 'Only here' });
		for (const filter of ['only', 'only h']) {
			expect(names(await search(subject, 'searchPixels', { filter }))).toEqual(['Only here (71)']);
		}
		expect(names(await search(subject, 'searchCampaigns', { filter: 'only h' }))).toEqual([]);
		for (const filter of [undefined, '']) await search(subject, 'searchPixels', { filter });
		const lists = subject.requests.map(({ path }) => path.slice('/api/'.length));
		expect(lists).toEqual(['pixels', 'campaigns', 'pixels', 'pixels']);
	});

	it.each([
		['searchCampaigns', 'campaigns', 'domain', 'Spring', '3'],
		['searchQrCodes', 'qrs', 'link', 'https://lnk.md/q', '3'],
		['searchDomainAddresses', 'domains', 'domain', 'https://a.md', 'https://a.md'],
	])('%s shows a record of "%s" by its field "%s"', async (method, key, field, name, value) => {
		const row = { id: 3, [field]: name };
		const service = await fakeService(() => ({ error: 0, data: { [key]: [row] } }));
		const { results } = await search(service, method);
		expect(results).toMatchObject([{ name: `${name} (3)`, value }]);
	});

	it.each([
		['searchPixels', { name: 'No ID' }, []],
		['searchPixels', { id: 3, name: null }, [{ name: '(3)', value: '3' }]],
		[
			'searchQrCodes',
			{ id: 3, name: 'Menu', link: 'https://l.md/q' },
			[{ name: 'Menu (3)', value: '3' }],
		],
		['searchDomainAddresses', { id: 3 }, [{ name: '(3)', value: '' }]],
	])('%s shows the record %j as %j', async (method, row, options) => {
		const service = await fakeService(() => ({ error: 0, data: [row] }));
		expect((await search(service, method)).results).toEqual(options);
	});
});
