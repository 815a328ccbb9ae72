import type { INodeProperties } from 'n8n-workflow';

/** The search that an event watches. */
export const searchFilters: INodeProperties = {
	displayName: 'Search Filters',
	name: 'searchFilters',
	type: 'collection',
	placeholder: 'Add filter',
	default: {},
	options: [
		{
			displayName: 'Class Code',
			name: 'caen',
			type: 'string',
			default: '',
			placeholder: 'e.g. 6201',
			description: 'Only companies with this CAEN code of economic activity (V1 API only)',
		},
		{
			displayName: 'Query',
			name: 'q',
			type: 'string',
			default: '',
			placeholder: 'e.g. Agro',
			description: 'Words of the name, or the beginning of an IDNO',
		},
		{
			displayName: 'Region',
			name: 'region',
			type: 'string',
			default: '',
			placeholder: 'e.g. Chișinău',
			description: 'Only companies in this district or municipality (V1 API only)',
		},
	],
};

/** Shared by the events of the registry. */
export const dailyRequestsOption: INodeProperties = {
	displayName: 'Daily Request Budget',
	name: 'dailyRequests',
	type: 'number',
	typeOptions: { minValue: 0 },
	default: 0,
	description:
		"Maximum requests per day. 0 uses 80% of the plan's quota. Triggers with the same key share it.",
};

/** The option of the same name, in workflows that were made before it was one. */
export const hiddenDailyRequests: INodeProperties = {
	displayName: 'Daily Request Budget',
	name: 'dailyRequests',
	type: 'hidden',
	default: 0,
};
