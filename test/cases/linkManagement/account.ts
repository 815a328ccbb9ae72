import type { OperationCase } from '../operationCase';

const account = {
	id: 1,
	email: 'demo@link-company.example',
	username: 'demo',
	avatar: 'https://lnk.example/avatars/demo.png',
	status: 'pro',
	expires: '2030-12-31 23:59:59',
	registered: '2021-04-12 09:30:00',
};

const changed = { email: 'name@example.com', password: ' pass word ' };
const message = 'Account has been updated';

export const accountCases: OperationCase[] = [
	{
		operation: 'account.get',
		documented: { endpoint: 'GET /api/account' },
		parameters: {},
		exchanges: [{ request: 'GET /api/account', response: { error: 0, data: account } }],
		output: [account],
	},
	{
		operation: 'account.update',
		documented: { endpoint: 'PUT /api/account/update' },
		parameters: { accountFields: changed },
		exchanges: [
			{ request: 'PUT /api/account/update', body: changed, response: { error: 0, message } },
		],
		output: [{ message }],
	},
];
