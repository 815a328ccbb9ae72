import type { OperationCase } from '../operationCase';

const record = {
	id: 180,
	name: 'menu & co.pdf',
	downloads: 186,
	shorturl: 'https://lnk.example/T4kVzPU',
	date: '2025-09-30 10:43:15',
};

const counters = { result: 1, perpage: 50, currentpage: 1, nextpage: null, maxpage: 1 };

export const fileCases: OperationCase[] = [
	{
		operation: 'file.getAll',
		documented: { endpoint: 'GET /api/files' },
		parameters: { limit: 50, fileFilters: { name: 'menu & co' } },
		exchanges: [
			{
				request: 'GET /api/files?name=menu+%26+co&limit=50&page=1',
				response: { error: 0, ...counters, list: [record] },
			},
		],
		output: [record],
	},
	{
		operation: 'file.upload',
		documented: { endpoint: 'POST /api/files/upload/:filename' },
		parameters: {
			binaryPropertyName: 'data',
			fileFields: {
				custom: 'invoice-2030-01',
				domain: { __rl: true, mode: 'address', value: 'https://go.webinar-55.example' },
				expiry: '2031-02-28',
				maxdownloads: 3,
				name: 'January invoice',
				password: 'p&ss w?rd',
			},
		},
		file: { name: 'çà & là 50%.pdf', mimeType: 'application/pdf', content: 'hello' },
		exchanges: [
			{
				request:
					'POST /api/files/upload/%C3%A7%C3%A0%20%26%20l%C3%A0%2050%25.pdf?custom=invoice-2030-01&domain=https%3A%2F%2Fgo.webinar-55.example&expiry=2031-02-28&maxdownloads=3&name=January+invoice&password=p%26ss+w%3Frd',
				body: 'hello',
				response: { error: 0, id: 181, shorturl: 'https://lnk.example/invoice-2030-01' },
			},
		],
		output: [{ id: 181, name: 'January invoice', shorturl: 'https://lnk.example/invoice-2030-01' }],
	},
];
