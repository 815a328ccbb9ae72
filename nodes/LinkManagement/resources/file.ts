import type { INodeProperties } from 'n8n-workflow';

import { endpoint } from '../../shared/node/operation';
import { inPath, inQuery } from '../../shared/node/inputs';
import type { Resource } from '../../shared/node/resource';
import {
	calendarDate,
	fileName,
	linkEnding,
	secret,
	wholeNumber,
} from '../../shared/node/validators';
import { showFor } from '../../shared/node/options';
import { files } from '../api';
import { getMany } from '../operations';
import { listOptions } from '../panel';
import { uploadFile } from '../upload';

export const file: Resource = {
	name: 'File',
	value: 'file',
	description: 'A file that people download through a short link, with a download count',
	defaultOperation: 'upload',
	operations: [
		getMany(files, 'files', 'download'),
		{
			name: 'Upload',
			value: 'upload',
			action: 'Upload file and get short link',
			description: 'Upload a file and get a short link to download it',
			routing: endpoint(
				'POST',
				'/api/files/upload/:fileName',
				uploadFile,
				'=/api/files/upload/{{encodeURIComponent($parameter["fileFields"]["fileName"])}}',
			),
		},
	],
	properties: [
		{
			displayName: 'Input Binary Field',
			name: 'binaryPropertyName',
			type: 'string',
			default: 'data',
			required: true,
			description:
				'Field of the item that has the file to upload, or an expression that returns a file',
			hint: 'If the item has only one file, leave this at "data"',
			displayOptions: showFor('file', 'upload'),
		},
		{
			displayName: 'Additional Fields',
			name: 'fileFields',
			type: 'collection',
			placeholder: 'Add field',
			default: {},
			displayOptions: showFor('file', 'upload'),
			options: [
				inQuery(
					{
						displayName: 'Custom Alias',
						name: 'custom',
						placeholder: 'e.g. invoice-2030-01',
						description: 'Ending of the short link. If you leave it out, the service chooses one.',
					},
					linkEnding,
				),
				inQuery(
					{
						displayName: 'Download Expiry',
						name: 'expiry',
						type: 'dateTime',
						typeOptions: { dateOnly: true },
						default: '',
						description:
							"Date on which downloads expire, e.g. 2030-12-31. If you enter a time as well, only its day in the workflow's time zone counts.",
					},
					calendarDate,
				),
				inPath(
					{
						displayName: 'File Name',
						name: 'fileName',
						placeholder: 'e.g. invoice.pdf',
						description:
							'Name of the uploaded file, with its extension. If empty, the input file keeps its name.',
					},
					fileName,
				),
				inQuery({
					displayName: 'Label',
					name: 'name',
					placeholder: 'e.g. January invoice',
					description:
						'Name to show in the list of files. To rename the file itself, use File Name.',
				}),
				inQuery(
					{
						displayName: 'Maximum Downloads',
						name: 'maxdownloads',
						type: 'number',
						typeOptions: { minValue: 1 },
						default: 100,
						description:
							"How many times the file can be downloaded. If not set, the service's own limit applies.",
					},
					wholeNumber(1),
				),
				inQuery(
					{
						displayName: 'Password',
						name: 'password',
						typeOptions: { password: true },
						description: 'Password that visitors must enter to download the file',
					},
					secret,
				),
				inQuery({
					displayName: 'Short Link Domain',
					name: 'domain',
					type: 'resourceLocator',
					default: { mode: 'list', value: '' },
					description: 'Branded domain to use for the short link',
					modes: [
						{
							displayName: 'From List',
							name: 'list',
							type: 'list',
							typeOptions: listOptions('searchDomainAddresses', 'address'),
						},
						{
							displayName: 'By Address',
							name: 'address',
							type: 'string',
							placeholder: 'e.g. https://go.example.com',
						},
					],
				}),
			],
		},
	],
};

/** Shown below Limit. */
export const fileFilters: INodeProperties = {
	displayName: 'Filters',
	name: 'fileFilters',
	type: 'collection',
	placeholder: 'Add filter',
	default: {},
	displayOptions: showFor('file', 'getAll'),
	options: [
		inQuery({
			displayName: 'Name',
			name: 'name',
			placeholder: 'e.g. invoice',
			description: 'Only files whose name contains this text',
		}),
	],
};
