import { installedNodes } from '../../tools/package/register';

describe('the nodes of an installed package', () => {
	it('are those n8n loaded under the package’s name, each with its newest version', () => {
		const loaded = [
			{ name: 'n8n-nodes-base.set', displayName: 'Edit Fields', version: 3 },
			{ name: 'n8n-nodes-x.lookup', displayName: 'Look-up', version: 1 },
			{ name: 'n8n-nodes-x.lookup', displayName: 'Look-up', version: [2, 2.1] },
			{ name: 'n8n-nodes-x.lookupTool', displayName: 'Look-up Tool', version: 1 },
		];
		expect(installedNodes(loaded, 'n8n-nodes-x')).toEqual([
			{ name: 'Look-up', type: 'n8n-nodes-x.lookup', latestVersion: 2.1 },
		]);
	});
});
