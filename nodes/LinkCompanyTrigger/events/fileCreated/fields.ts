import type { INodeProperties } from 'n8n-workflow';

export const fileCreatedFields: INodeProperties[] = [
	{
		displayName:
			'Emits one item for each new file. If the service lists files in the order of their upload, a poll without new files costs one request.',
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
		description: 'Only files whose name contains this text, in upper or lower case',
	},
];
