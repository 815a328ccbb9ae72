import { NO_LIMIT, openStage } from '../host/stage';
import { Chain, httpRequest, items, type NodeSpec } from '../host/workflows';
import { atMost, rounded, type Findings, type Part } from '../part';
import { interleave, median } from '../statistics';

const ROWS = 500;
const COMPANIES = 120;

interface Reading {
	ms: number;
	requests: number;
}

/** Rows of a CRM, several of which belong to the same company. */
export const duplicates: Part = {
	name: 'duplicates',
	title: 'Duplicates',
	async run({ rounds, report }) {
		const stage = await openStage(
			{},
			{
				registry: {
					v1: { rateLimit: { limit: NO_LIMIT }, dailyQuota: { limit: null } },
					companies: COMPANIES,
				},
			},
		);
		try {
			const { v1 } = stage.sandbox.registry;
			const data = {
				variant: 'v1',
				baseUrl: v1.baseUrl,
				apiKey: v1.apiKey,
				plan: 'custom',
				requestsPerMinute: NO_LIMIT,
				requestsPerDay: NO_LIMIT,
			};
			const id = await stage.api.createCredential('Registry', 'companyRegistryApi', data);
			const credential = { id, name: 'Registry' };
			const companies = v1.state.all().map(({ idno }) => idno);
			const records = Array.from({ length: ROWS }, (_, row) => ({
				idno: companies[row % COMPANIES]!,
			}));
			const ours: NodeSpec = {
				name: 'Company Registry',
				type: 'n8n-nodes-link-company.companyRegistry',
				parameters: { resource: 'company', operation: 'get', idno: '={{ $json.idno }}' },
				credentials: { companyRegistryApi: credential },
			};
			const url = `=${v1.baseUrl}/api/v1/company/{{ $json.idno }}`;
			const theirs = httpRequest(credential, { url }, {}, 'companyRegistryApi');
			const variant = async (spec: NodeSpec) => {
				const chain = await Chain.store(stage.api, spec.name, [...items(records), spec]);
				return async (): Promise<Reading> => {
					v1.clearRequests();
					const { ms, succeeded } = await chain.run();
					if (succeeded !== ROWS) throw new Error(`${succeeded} of ${ROWS} items succeeded`);
					report(`${spec.name}: ${ms} ms`);
					return { ms, requests: v1.requests.length };
				};
			};
			const variants = { ours: await variant(ours), theirs: await variant(theirs) };
			return findings(await interleave(variants, rounds));
		} finally {
			await stage.close();
		}
	},
};

function findings(measured: Record<string, Reading[]>): Findings {
	const { ours = [], theirs = [] } = measured;
	const requests = (readings: Reading[]) => median(readings.map((reading) => reading.requests));
	const row = (name: string, readings: Reading[]) => ({
		[`${ROWS} rows`]: name,
		requests: requests(readings),
		ms: rounded(median(readings.map(({ ms }) => ms))),
	});
	return {
		setting: `${ROWS} rows that name ${COMPANIES} companies, each row gets its dossier by an expression, no rate limit.`,
		rows: [row('Company Registry', ours), row('HTTP Request', theirs)],
		targets: [atMost(COMPANIES, requests(ours), 'Requests', 'requests')],
		raw: measured,
	};
}
