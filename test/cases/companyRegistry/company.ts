import type { OperationCase } from '../operationCase';
import { COMPANY, CREDIT, DOSSIER, found, idno, SIMPLE_DOSSIER } from './records';

const FILTERED = 'GET /api/v1/search?q=Rusc%C4%83teza&caen=1102&region=B%C4%83l%C8%9Bi&limit=50';
const data = [{ idno, name: COMPANY.name }];

export const companyCases: OperationCase[] = [
	{
		operation: 'company.autocomplete',
		documented: { endpoint: 'GET /api/autocomplete' },
		variants: ['unversioned'],
		parameters: { q: 'Ruscăteza' },
		exchanges: [
			{ request: 'GET /api/autocomplete?q=Rusc%C4%83teza', response: { success: true, data } },
		],
		output: data,
	},
	{
		operation: 'company.enrich',
		parameters: { columns: 'choose', companyIdno: idno, addCredit: true },
		input: { customer: 17 },
		exchanges: [
			{ request: `GET /api/v1/search?q=${idno}&limit=50`, response: found },
			{ request: `GET /api/v1/credit/${idno}`, response: { success: true, ...CREDIT } },
		],
		output: [{ customer: 17, match_status: 'found', registry_idno: idno, registry_rating: 'C' }],
	},
	{
		operation: 'company.get',
		documented: { endpoint: 'GET /api/v1/company/:idno' },
		parameters: { idno },
		exchanges: [
			{ request: `GET /api/v1/company/${idno}`, response: { success: true, ...DOSSIER } },
		],
		output: [SIMPLE_DOSSIER],
	},
	{
		operation: 'company.search',
		documented: { endpoint: 'GET /api/v1/search' },
		parameters: { q: 'Ruscăteza', limit: 50, filters: { caen: '1102', region: 'Bălți' } },
		exchanges: [{ request: FILTERED, response: found }],
		output: [COMPANY],
	},
	{
		operation: 'company.search',
		documented: { endpoint: 'GET /api/search' },
		variants: ['unversioned'],
		parameters: { q: 'Ruscăteza', limit: 50 },
		exchanges: [{ request: 'GET /api/search?q=Rusc%C4%83teza&limit=50&page=1', response: found }],
		output: [COMPANY],
	},
];
