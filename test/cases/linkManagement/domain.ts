import type { OperationCase } from '../operationCase';
import { createOne, deleteOne, getMany, getOne, updateOne, upsertOne } from './lists';

const record = {
	domain: 'https://go.webinar.example',
	redirectroot: 'https://www.webinar.example',
	redirect404: 'https://www.webinar.example/not-found',
};

const root = { redirectroot: 'https://example.com' };
const redirects = { ...root, redirect404: 'https://example.com/?q=ă b' };
const changed = { redirectroot: 'https://a.example', redirect404: 'http://b.example/404' };
const domain = 'https://go.example.com';

export const domainCases: OperationCase[] = [
	createOne(
		'domain',
		{ parameters: { domain, domainFields: redirects }, body: { domain, ...redirects } },
		{ id: 56 },
	),
	deleteOne('domain', 7),
	getOne('domain', { id: 7, ...record }),
	getMany('domain', '/api/domains', 'domains', { id: 55, ...record }),
	updateOne('domain', 7, { parameters: { domainFields: changed }, body: changed }),
	upsertOne(
		'domain',
		{ id: 7, domain: 'https://go.webinar.example' },
		{ parameters: { domain, domainFields: root }, body: { domain, ...root } },
		{ id: 56 },
	),
];
