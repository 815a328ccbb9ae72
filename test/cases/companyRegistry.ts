import type { OperationCase } from './operationCase';

/** A company that the sandbox has, too. */
const COMPANY = {
	idno: '1000600900002',
	name: 'S.A. „Ruscăteza Vin”',
	legal_form: 'S.A.',
	status: 'active',
	city: 'Bălți',
	region: 'Bălți',
	caen_code: '1102',
	caen_description: 'Fabricarea vinurilor din struguri',
};
const { idno } = COMPANY;

const KEY_STATUS = {
	key_status: 'active',
	plan: 'Developer Free',
	daily_limit: 100,
	daily_remaining: 100,
	daily_reset: '2025-10-01 00:00:00',
	per_minute_limit: 10,
};

const CREDIT = {
	idno,
	name: COMPANY.name,
	status: 'active',
	scoring: { rating: 'C', score: 60, insolvency_risk: 'moderate' },
	trade_credit_recommendation: {
		recommended_limit_mdl: 72000,
		currency: 'MDL',
		recommended_payment_terms_days: 30,
		advisory_notes: 'Review the limit every six months.',
	},
};

const DOSSIER = {
	...COMPANY,
	registration_date: '2000-08-27',
	address: 'str. Morii 78, Bălți',
	administrators: [{ name: 'Doina Șerban', role: 'administrator', since: '2000-08-27' }],
	founders: [{ name: 'Andrei Bălan', share_percent: 86 }],
	financials: [{ year: 2021, revenue_mdl: 54787090, net_profit_mdl: 601138, employees: 28 }],
	licenses: [],
	scoring: CREDIT.scoring,
	credit_limit_mdl: 72000,
};

const found = { success: true, query: idno, total: 1, page: 1, per_page: 50, data: [COMPANY] };

/** Every operation of Company Registry, from the company-registry spec. */
export const companyRegistryCases: OperationCase[] = [
	{
		operation: 'apiKey.getStatus',
		documented: { endpoint: 'GET /api/v1/status' },
		parameters: {},
		exchanges: [{ request: 'GET /api/v1/status', response: { success: true, ...KEY_STATUS } }],
		output: [KEY_STATUS],
	},
	{
		operation: 'apiRequest.send',
		parameters: { method: 'GET', path: '/api/v1/status' },
		exchanges: [{ request: 'GET /api/v1/status', response: { success: true, ...KEY_STATUS } }],
		output: [{ success: true, ...KEY_STATUS }],
	},
	{
		operation: 'company.autocomplete',
		documented: { endpoint: 'GET /api/autocomplete', fields: ['q'] },
		variants: ['unversioned'],
		parameters: { q: 'Ruscăteza' },
		exchanges: [
			{
				request: 'GET /api/autocomplete?q=Rusc%C4%83teza',
				response: { success: true, data: [{ idno, name: COMPANY.name }] },
			},
		],
		output: [{ idno, name: COMPANY.name }],
	},
	{
		operation: 'company.enrich',
		parameters: { companyIdno: idno, addCredit: true },
		input: { customer: 17 },
		exchanges: [
			{ request: `GET /api/v1/search?q=${idno}&limit=50`, response: found },
			{ request: `GET /api/v1/credit/${idno}`, response: { success: true, ...CREDIT } },
		],
		output: [{ customer: 17, found: true, company_idno: idno, company_rating: 'C' }],
	},
	{
		operation: 'company.get',
		documented: { endpoint: 'GET /api/v1/company/:idno' },
		parameters: { idno },
		exchanges: [
			{ request: `GET /api/v1/company/${idno}`, response: { success: true, ...DOSSIER } },
		],
		output: [DOSSIER],
	},
	{
		operation: 'company.search',
		documented: { endpoint: 'GET /api/v1/search', fields: ['q', 'caen', 'region', 'limit'] },
		parameters: { q: 'Ruscăteza', limit: 50, filters: { caen: '1102', region: 'Bălți' } },
		exchanges: [
			{
				request: 'GET /api/v1/search?q=Rusc%C4%83teza&caen=1102&region=B%C4%83l%C8%9Bi&limit=50',
				response: found,
			},
		],
		output: [COMPANY],
	},
	{
		operation: 'company.search',
		documented: { endpoint: 'GET /api/search', fields: ['q', 'page', 'limit'] },
		variants: ['unversioned'],
		parameters: { q: 'Ruscăteza', limit: 50 },
		exchanges: [{ request: 'GET /api/search?q=Rusc%C4%83teza&limit=50&page=1', response: found }],
		output: [COMPANY],
	},
	{
		operation: 'creditRecommendation.get',
		documented: { endpoint: 'GET /api/v1/credit/:idno' },
		parameters: { idno },
		exchanges: [{ request: `GET /api/v1/credit/${idno}`, response: { success: true, ...CREDIT } }],
		output: [CREDIT],
	},
	{
		operation: 'idno.validate',
		variants: ['v1', 'unversioned'],
		parameters: { idnoToValidate: '1003600015230' },
		exchanges: [],
		output: [
			{
				idno: '1003600015230',
				valid: false,
				reason: 'The last digit is 0, but the check digit of the first twelve is 1.',
				expectedCheckDigit: 1,
			},
		],
	},
];
