import type { IDataObject } from 'n8n-workflow';
import type { Company, Sandbox } from '../../../sandbox';
import type { SandboxCredentials } from './stage';
import type { OperationCase } from './operationCase';

export interface RegistryCase extends OperationCase {
	/** The credential in the node; none where the operation asks for none. */
	credential?: keyof SandboxCredentials;
}

/** The first two companies of the sandbox's directory. */
const WINERY = '1000600900002';
const BAKERY = '1001600900009';

const company = ({ registry }: Sandbox, idno: string): Readonly<Company> => {
	const found = registry.v1.state.get(idno);
	if (!found) throw new Error(`The sandbox has no company ${idno}`);
	return found;
};

const brief = ({ idno, name, status }: Readonly<Company>): IDataObject => ({ idno, name, status });

const bothBriefs = (sandbox: Sandbox) =>
	[WINERY, BAKERY].map((idno) => [brief(company(sandbox, idno))]);

/** Every operation of Company Registry, in each variant of the API that has it. */
export const companyRegistryCases: RegistryCase[] = [
	{
		resource: 'apiKey',
		operation: 'getStatus',
		credential: 'registry',
		rows: [{}],
		parameters: {},
		expected: () => [[{ key_status: 'active', plan: 'Developer Free' }]],
	},
	{
		resource: 'company',
		operation: 'autocomplete',
		credential: 'registryUnversioned',
		rows: [{ q: 'Ruscăteza' }, { q: 'Zăvfina' }],
		parameters: { q: '={{ $json.q }}' },
		expected: ({ registry }) =>
			['Ruscăteza', 'Zăvfina'].map((q) =>
				registry.v1.state.search({ q }).map(({ idno, name }) => ({ idno, name })),
			),
	},
	...(['registry', 'registryUnversioned'] as const).map((credential): RegistryCase => ({
		resource: 'company',
		operation: 'enrich',
		credential,
		rows: [{ idno: WINERY }, { name: 'zavfina panificatie' }, { name: 'No Such Company At All' }],
		parameters: { companyIdno: '={{ $json.idno }}', companyName: '={{ $json.name }}' },
		expected: (sandbox) => [
			[{ idno: WINERY, found: true, company_name: company(sandbox, WINERY).name }],
			[{ name: 'zavfina panificatie', found: true, company_idno: BAKERY }],
			[{ name: 'No Such Company At All', found: false }],
		],
	})),
	{
		resource: 'company',
		operation: 'get',
		credential: 'registry',
		rows: [{ idno: WINERY }, { idno: BAKERY }],
		parameters: { idno: '={{ $json.idno }}' },
		expected: bothBriefs,
	},
	...(['registry', 'registryUnversioned'] as const).map((credential): RegistryCase => ({
		resource: 'company',
		operation: 'search',
		credential,
		rows: [{ q: WINERY }, { q: BAKERY }],
		parameters: { q: '={{ $json.q }}' },
		expected: bothBriefs,
	})),
	{
		resource: 'creditRecommendation',
		operation: 'get',
		credential: 'registry',
		rows: [{ idno: WINERY }, { idno: BAKERY }],
		parameters: { idno: '={{ $json.idno }}', output: 'simple' },
		expected: (sandbox) =>
			[WINERY, BAKERY].map((idno) => {
				const { rating, score, limit } = company(sandbox, idno);
				return [{ idno, rating, score, recommended_limit_mdl: limit }];
			}),
	},
	{
		resource: 'idno',
		operation: 'validate',
		rows: [{ idno: WINERY }, { idno: '1000600900003' }],
		parameters: { idnoToValidate: '={{ $json.idno }}' },
		expected: () => [[{ idno: WINERY, valid: true }], [{ valid: false }]],
	},
];
