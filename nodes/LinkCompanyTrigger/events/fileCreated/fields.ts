import type { INodeProperties } from 'n8n-workflow';

export const fileCreatedFields: INodeProperties[] = [
	{
		displayName:
			'Emits each new file once, oldest first. A poll without news costs one request, however many files there are.',
		name: 'fileNotice',
		type: 'notice',
		default: '',
	},
	{
		displayName: 'Name Contains',
		name: 'name',
		type: 'string',
		default: '',
		placeholder: 'e.g. invoice',
		description: 'Only files whose name contains this; leave it empty for all files',
	},
];
