import type { IDataObject, INodeParameters } from 'n8n-workflow';

import type { Variant } from '../../../nodes/CompanyRegistry/api';
import type { Respond } from '../../fakeService';
import type { NodeOutcome, NodeRun } from '../harness';
import { hintsOf, itemsOf, recordsOf, registryAt, registryOf, withCheckDigit } from '../support';

/** What the suites of Enrich share: a small registry, and lists that are looked up in it. */

export interface Enriching extends INodeParameters {
	options?: INodeParameters;
}

export const enriching = (parameters: Enriching = {}): INodeParameters => ({
	resource: 'company',
	operation: 'enrich',
	...parameters,
});

/** Enriches rows from a service with these responses. */
export async function enrichAt(
	respond: Respond,
	rows: IDataObject[],
	parameters: Enriching = {},
	more: Partial<NodeRun> = {},
	variant: Variant = 'v1',
): Promise<NodeOutcome & { paths: string[] }> {
	const { run, requests } = await registryAt(respond, variant);
	const outcome = await run(enriching(parameters), { items: itemsOf(...rows), ...more });
	return { ...outcome, paths: requests.map(({ path }) => path) };
}

export const numbered = (number: number) => withCheckDigit(String(100_000_000_000 + number));
export const [FIRST, SECOND, THIRD, UNKNOWN] = [1, 2, 3, 99].map(numbered) as [
	...[string, string, string, string],
];
export const ZEFIRUL = { idno: FIRST, name: 'Zefirul SRL', status: 'active', city: 'Orhei' };
export const VALMORA = { idno: SECOND, name: 'Vălmora SRL', status: 'active', city: 'Cahul' };
export const NAMESAKE = { ...ZEFIRUL, idno: THIRD, city: 'Bălți', status: 'suspended' };
export const ALL = [ZEFIRUL, VALMORA];

/** Enriches rows from a registry with these companies. */
export async function enrich(
	rows: IDataObject[],
	parameters: Enriching = {},
	companies: IDataObject[] = ALL,
): Promise<IDataObject[]> {
	return recordsOf(await enrichAt(registryOf(companies), rows, parameters));
}

export const texts = (outcome: NodeOutcome) => hintsOf(outcome).map(({ message }) => message);
const day = 86_400_000;
export const ago = (days: number) => new Date(Date.now() - days * day).toISOString();

export const columnsOf = (company: object) =>
	Object.fromEntries(Object.entries(company).map(([name, value]) => [`registry_${name}`, value]));

export const OUT_OF_QUOTA = {
	status: 429,
	headers: { 'x-ratelimit-remaining': 0, 'retry-after': 40_000 },
	body: { message: 'Daily quota exceeded' },
};

/** The registry, until its quota for a night is used up. */
export const withQuota =
	(quota: number, companies: IDataObject[] = ALL): Respond =>
	(request) =>
		request.number > quota ? OUT_OF_QUOTA : registryOf(companies)(request);

/** Recommends every company. */
export const RECOMMENDING: Respond = ({ path }) => ({
	success: true,
	idno: path.split('/').at(-1),
	rating: 'B',
});

/** The registry, which answers a request for a recommendation in this way. */
export const crediting =
	(credit: object | Respond, companies: IDataObject[] = ALL): Respond =>
	(request) => {
		if (!request.path.includes('/credit/')) return registryOf(companies)(request);
		return typeof credit === 'function' ? (credit as Respond)(request) : credit;
	};
