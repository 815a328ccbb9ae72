import type { Variant } from '../../nodes/CompanyRegistry/service';

/**
 * The endpoints of the company-registry document ("Endpoints", "Limits", with the records of
 * "Resources and their fields"), written down from it and from nothing else.
 */
export const ENDPOINTS: readonly DocumentedEndpoint[] = [
	{
		operation: 'company.get',
		variant: 'v1',
		path: '/api/v1/company/:idno',
		answer: 'not shown',
	},
	{
		operation: 'company.search',
		variant: 'v1',
		path: '/api/v1/search',
		query: ['q', 'caen', 'region', 'limit'],
		maxLimit: 50,
		answer: 'not shown',
	},
	{
		operation: 'creditRecommendation.get',
		variant: 'v1',
		path: '/api/v1/credit/:idno',
		answer: {
			success: true,
			idno: '1003600015231',
			name: 'Example SRL',
			status: 'active',
			scoring: { rating: 'B', score: 71, insolvency_risk: 'low' },
			trade_credit_recommendation: {
				recommended_limit_mdl: 250000,
				currency: 'MDL',
				recommended_payment_terms_days: 30,
				advisory_notes: 'No special measures.',
			},
		},
	},
	{
		operation: 'apiKey.getStatus',
		variant: 'v1',
		path: '/api/v1/status',
		answer: 'not shown',
	},
	{
		operation: 'company.search',
		variant: 'unversioned',
		path: '/api/search',
		query: ['q', 'page', 'limit'],
		maxLimit: 50,
		answer: {
			success: true,
			query: 'example',
			total: 1,
			page: 1,
			per_page: 50,
			data: [
				{
					idno: '1003600015231',
					name: 'Example SRL',
					legal_form: 'SRL',
					status: 'active',
					city: 'Chișinău',
					region: 'Chișinău',
					caen_code: '6201',
					caen_description: 'Software',
				},
			],
		},
	},
	{
		operation: 'company.autocomplete',
		variant: 'unversioned',
		path: '/api/autocomplete',
		query: ['q'],
		answer: 'not shown',
	},
];

export interface DocumentedEndpoint {
	/** The node's `resource.operation` for it. */
	operation: string;
	variant: Variant;
	/** With `:idno` for its placeholder. All endpoints are read with GET. */
	path: string;
	/** Names of the query parameters. */
	query?: readonly string[];
	maxLimit?: number;
	/** A success, where its shape is documented. */
	answer: 'not shown' | Record<string, unknown>;
}

/** The document's plans ("Limits"), by the credential's `plan`. */
export const PLAN_TABLE: ReadonlyArray<readonly [Variant, string, string, number, number]> = [
	['v1', 'developerFree', 'Developer Free', 100, 10],
	['v1', 'starterB2b', 'Starter B2B', 1000, 30],
	['v1', 'businessPro', 'Business Pro', 10000, 100],
	['unversioned', 'free', 'Free', 100, 60],
	['unversioned', 'premium', 'Premium', 5000, 60],
];
