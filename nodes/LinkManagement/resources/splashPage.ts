import { endpoint } from '../../shared/node/operation';
import type { Resource } from '../../shared/node/resource';
import { listRecords } from '../../shared/node/outputs';
import { splashPages } from '../api';

/** docs/maintainers/services.md, "Link Management: requests". */
export const splashPage: Resource = {
	name: 'Splash Page',
	value: 'splashPage',
	description: 'A page that visitors see before a short link takes them to its target',
	operations: [
		{
			name: 'Get Many',
			value: 'getAll',
			action: 'Get many splash pages',
			description: 'List the splash pages in the account',
			routing: endpoint('GET', splashPages.path, listRecords(splashPages)),
		},
	],
	properties: [],
};
