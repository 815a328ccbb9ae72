/** A company that also exists in the sandbox. */
export const COMPANY = {
	idno: '1000600900002',
	name: 'S.A. „Ruscăteza Vin”',
	legal_form: 'S.A.',
	status: 'active',
	city: 'Bălți',
	region: 'Bălți',
	caen_code: '1102',
	caen_description: 'Fabricarea vinurilor din struguri',
};
export const { idno } = COMPANY;

export const KEY_STATUS = {
	key_status: 'active',
	plan: 'Developer Free',
	daily_limit: 100,
	daily_remaining: 100,
	daily_reset: '2025-10-01 00:00:00',
	per_minute_limit: 10,
};

export const CREDIT = {
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

export const DOSSIER = {
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

/** Simplified output, which is the node's default. */
export const SIMPLE_CREDIT = {
	idno,
	name: COMPANY.name,
	status: 'active',
	...CREDIT.scoring,
	...CREDIT.trade_credit_recommendation,
};

export const SIMPLE_DOSSIER = {
	...COMPANY,
	...CREDIT.scoring,
	recommended_limit_mdl: 72000,
	registration_date: '2000-08-27',
	address: 'str. Morii 78, Bălți',
	administrators: 'Doina Șerban',
	administrators_count: 1,
	founders: 'Andrei Bălan',
	founders_count: 1,
	financials_count: 1,
	financials_latest_year: 2021,
	financials_latest_revenue_mdl: 54787090,
	financials_latest_net_profit_mdl: 601138,
	financials_latest_employees: 28,
	licenses_count: 0,
};

export const found = {
	success: true,
	query: idno,
	total: 1,
	page: 1,
	per_page: 50,
	data: [COMPANY],
};
