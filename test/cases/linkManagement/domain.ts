import { byId } from '../operationCase';
import type { OperationCase } from '../operationCase';
import { allListed, deleteOne, getMany, getOne } from './lists';

const record = {
	domain: 'https://go.webinar.example',
	redirectroot: 'https://www.webinar.example',
	redirect404: 'https://www.webinar.example/not-found',
};

const redirects = {
	redirectroot: 'https://example.com',
	redirect404: 'https://example.com/?q=ă b',
};

export const domainCases: OperationCase[] = [
	{
		operation: 'domain.create',
		documented: {
			endpoint: 'POST /api/domain/add',
			fields: ['domain', 'redirectroot', 'redirect404'],
		},
		parameters: {
			domain: 'https://go.example.com',
			domainFields: redirects,
		},
		exchanges: [
			{
				request: 'POST /api/domain/add',
				body: { domain: 'https://go.example.com', ...redirects },
				response: { error: 0, id: 56 },
			},
		],
		output: [{ id: 56 }],
	},
	deleteOne('domain', 7, 'Domain has been deleted'),
	getOne('domain', '/api/domains', 'domains', { id: 7, ...record }),
	getMany('domain', '/api/domains', 'domains', { id: 55, ...record }),
	{
		operation: 'domain.update',
		documented: {
			endpoint: 'PUT /api/domain/:id/update',
			fields: ['redirectroot', 'redirect404'],
		},
		parameters: {
			domainId: byId(7),
			domainFields: { redirectroot: 'https://a.example', redirect404: 'http://b.example/404' },
		},
		exchanges: [
			{
				request: 'PUT /api/domain/7/update',
				body: { redirectroot: 'https://a.example', redirect404: 'http://b.example/404' },
				response: { error: 0, message: 'Domain has been updated' },
			},
		],
		output: [{ id: 7, message: 'Domain has been updated' }],
	},
	{
		operation: 'domain.upsert',
		parameters: {
			domain: 'https://go.example.com',
			domainFields: { redirectroot: 'https://example.com' },
		},
		exchanges: [
			allListed('/api/domains', 'domains', [{ id: 7, domain: 'https://go.webinar.example' }]),
			{
				request: 'POST /api/domain/add',
				body: { domain: 'https://go.example.com', redirectroot: 'https://example.com' },
				response: { error: 0, id: 56 },
			},
		],
		output: [
			{
				id: 56,
				domain: 'https://go.example.com',
				redirectroot: 'https://example.com',
				created: true,
			},
		],
	},
];
