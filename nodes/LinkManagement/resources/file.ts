import { endpoint } from '../../shared/node/endpoint';
import { inPath, inQuery } from '../../shared/node/inputs';
import type { Resource } from '../../shared/node/resource';
import { list } from '../../shared/node/outputs';
import { calendarDate, fileName, secret, wholeNumber } from '../../shared/node/validators';
import { files } from '../collections';
import { showFor } from '../fields';
import { uploaded } from '../upload';

/** Spec, "Files". */
export const file: Resource = {
	name: 'File',
	value: 'file',
	properties: [
		{
			displayName: 'Operation',
			name: 'operation',
			type: 'options',
			noDataExpression: true,
			displayOptions: { show: { resource: ['file'] } },
			default: 'upload',
			options: [
				{
					name: 'Get Many',
					value: 'getAll',
					action: 'Get many files',
					description: 'List the files of the account with their numbers of downloads',
					routing: endpoint('GET', files.path, list(files)),
				},
				{
					name: 'Upload',
					value: 'upload',
					action: 'Upload a file',
					description: 'Upload a file and get a short link that downloads it',
					routing: endpoint('POST', '/api/files/upload/:fileName', uploaded),
				},
			],
		},
		{
			displayName: 'Input Binary Field',
			name: 'binaryPropertyName',
			type: 'string',
			default: 'data',
			required: true,
			hint: 'The name of the input field that holds the file',
			description: 'Files of any size can be uploaded; they are streamed, not loaded into memory',
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
				inQuery({
					displayName: 'Custom Alias',
					name: 'custom',
					type: 'string',
					default: '',
					placeholder: 'e.g. invoice-2030-01',
					description: 'End of the short link, in place of a random one',
				}),
				inQuery(
					{
						displayName: 'Download Expiry',
						name: 'expiry',
						type: 'dateTime',
						default: '',
						description: 'Day after which the file can no longer be downloaded',
					},
					calendarDate,
				),
				inPath(
					{
						displayName: 'File Name',
						name: 'fileName',
						type: 'string',
						default: '',
						placeholder: 'e.g. invoice.pdf',
						description: 'Name with extension to upload the file under, in place of its own',
					},
					fileName,
				),
				inQuery(
					{
						displayName: 'Maximum Downloads',
						name: 'maxdownloads',
						type: 'number',
						typeOptions: { minValue: 1 },
						default: 1,
						description: 'How many times the file can be downloaded',
					},
					wholeNumber(1),
				),
				inQuery({
					displayName: 'Name',
					name: 'name',
					type: 'string',
					default: '',
					placeholder: 'e.g. Invoice of January',
					description: 'Name that the file list shows',
				}),
				inQuery(
					{
						displayName: 'Password',
						name: 'password',
						type: 'string',
						typeOptions: { password: true },
						default: '',
						description: 'Password that visitors must enter to download the file',
					},
					secret,
				),
				inQuery({
					displayName: 'Short Link Domain',
					name: 'domain',
					type: 'string',
					default: '',
					placeholder: 'e.g. https://go.example.com',
					description: 'Branded domain of the short link',
				}),
			],
		},
	],
	lastProperties: [
		{
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
					type: 'string',
					default: '',
					placeholder: 'e.g. invoice',
					description: 'Only files whose name contains this',
				}),
			],
		},
	],
};
