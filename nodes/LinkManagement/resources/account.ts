import { endpoint } from '../../shared/node/operation';
import { inBody } from '../../shared/node/inputs';
import type { Resource } from '../../shared/node/resource';
import { getRecord, updateRecord } from '../../shared/node/outputs';
import { emailAddress, secret } from '../../shared/node/validators';
import { inUpdates, optionalFields } from '../panel';
import { accountRecord, changedAccount } from '../api';

export const account: Resource = {
	name: 'Account',
	value: 'account',
	description: 'The account that the API key belongs to',
	defaultOperation: 'get',
	operations: [
		{
			name: 'Get',
			value: 'get',
			action: 'Get account and plan',
			description: 'Get the account that the API key belongs to: email, plan and expiry',
			routing: endpoint('GET', '/api/account', getRecord(accountRecord)),
		},
		{
			name: 'Update',
			value: 'update',
			action: 'Update email or password',
			description: "Change the account's email address or password",
			routing: endpoint('PUT', '/api/account/update', updateRecord(changedAccount)),
		},
	],
	properties: [
		...optionalFields('account', [
			inBody(
				{
					displayName: 'Email',
					name: 'email',
					placeholder: 'e.g. name@example.com',
					description: 'New email address of your account',
					displayOptions: inUpdates,
				},
				emailAddress,
			),
			inBody(
				{
					displayName: 'Password',
					name: 'password',
					typeOptions: { password: true },
					description: 'New password of your account',
					displayOptions: inUpdates,
				},
				secret,
			),
		]),
	],
};
