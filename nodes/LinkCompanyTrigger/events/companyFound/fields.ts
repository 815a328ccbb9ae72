import type { INodeProperties } from 'n8n-workflow';

import { dailyRequestsOption, hiddenDailyRequests, searchFilters } from '../../registryFields';

export const companyFoundFields: INodeProperties[] = [
	{
		displayName:
			'Emits each company once, when the search shows it for the first time. The registry publishes weekly, so poll every hour or once a day. A poll costs one request per 50 companies of the search. The V1 API shows only the first 50, so narrow the search until it finds fewer.',
		name: 'companyFoundNotice',
		type: 'notice',
		default: '',
	},
	searchFilters,
	hiddenDailyRequests,
];

export const companyFoundOptions: INodeProperties[] = [dailyRequestsOption];
