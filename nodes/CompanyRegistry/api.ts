import type { IHttpRequestMethods } from 'n8n-workflow';
import { MINUTE_MS } from '../shared/http/clock';
import type { Service } from '../shared/http/connection';
import { InputError, ServiceError } from '../shared/http/errors';
import { runEndpoint } from '../shared/node/operation';
import type { FindByName, OperationCall, OperationRouting, Output } from '../shared/node/operation';
import {
	hasContent,
	isJson,
	isYes,
	objectsOrNames,
	readRecord,
	requirePage,
	unexpectedShape,
} from '../shared/http/envelope';
import type { Json } from '../shared/http/envelope';
import { withTextIdno } from './companyFields';

/** `/api/v1/…` and `/api/…` (docs/services.md, "Company Registry: requests"). */
export type Variant = 'v1' | 'unversioned';

/** Limits of a plan for one key. */
export interface Plan {
	perMinute: number;
	perDay: number;
}

/**
 * The documented plans by the credential's `plan` value (docs/services.md, "Company Registry: limits"). The
 * first of each variant is the smallest, so it is safe for a key of any plan.
 */
export const PLANS = {
	v1: {
		developerFree: { perMinute: 10, perDay: 100 },
		starterB2b: { perMinute: 30, perDay: 1_000 },
		businessPro: { perMinute: 100, perDay: 10_000 },
	},
	unversioned: {
		free: { perMinute: 60, perDay: 100 },
		premium: { perMinute: 60, perDay: 5_000 },
	},
} as const satisfies Record<Variant, Record<string, Plan>>;

const SMALLEST: Record<Variant, Plan> = {
	v1: PLANS.v1.developerFree,
	unversioned: PLANS.unversioned.free,
};

/** Plans whose limits the user enters in the credential. */
const OWN_NUMBERS = ['enterprise', 'custom'];

/** A credential's fields, with or without its key. */
type Settings = Readonly<Record<string, unknown>>;

export function variantOf({ variant }: Settings): Variant {
	return variant === 'unversioned' ? 'unversioned' : 'v1';
}

/**
 * Requests per minute and per day that the credential's plan allows (docs/services.md,
 * "Company Registry: limits"). The smallest plan replaces invalid limits and a plan of the other variant, which n8n
 * keeps when the user changes the variant.
 */
export function planOf(credentials: Settings): Plan {
	const variant = variantOf(credentials);
	const plan = String(credentials.plan);
	const smallest = SMALLEST[variant];
	if (OWN_NUMBERS.includes(plan)) {
		return {
			perMinute: positive(credentials.requestsPerMinute) ?? smallest.perMinute,
			perDay: positive(credentials.requestsPerDay) ?? smallest.perDay,
		};
	}
	const plans: Record<string, Plan> = PLANS[variant];
	return (Object.hasOwn(plans, plan) ? plans[plan] : undefined) ?? smallest;
}

function positive(value: unknown): number | undefined {
	const number = Math.floor(Number(value));
	return Number.isFinite(number) && number >= 1 ? number : undefined;
}

/** The company-registry service (docs/services.md, "Company Registry: limits"). */
export const companyRegistry: Service = {
	name: 'Company Registry',
	credential: 'companyRegistryApi',
	rate: (credentials) => {
		const { perMinute, perDay } = planOf(credentials);
		return { limit: perMinute, windowMs: MINUTE_MS, perDay };
	},
	// docs/services.md, "Company Registry: errors". Lists, suggestions and the state of a key may come without
	// `success`; a company's record may not, since anything could be one.
	succeeded(body, { path }) {
		if (isJson(body) && 'success' in body) return isYes(body.success);
		const isRecord = /\/(company|credit)\//.test(path);
		return (!isRecord && hasContent(body)) || undefined;
	},
	keyHint:
		"Each API variant has its own keys, so also check the credential's API Variant and Base URL.",
	addressFields: 'API Variant and Base URL',
};

/** Maximum number of companies that one search request returns (docs/services.md, "Company Registry: limits"). */
export const MAX_RESULTS = 50;

/** Names of the variants in the panel and in errors. */
const VARIANT_NAMES: Record<Variant, string> = { v1: 'V1', unversioned: 'Unversioned' };

/**
 * The variant of the call's credential.
 *
 * @param available the variants that have the operation or option
 * @param what begins the error's sentence
 * @param instead ends the sentence about what to do
 * @throws InputError when the credential is for another variant, or is missing
 */
export async function requireVariant(
	call: OperationCall,
	available: readonly Variant[],
	what = 'This operation',
	instead = 'use an operation that both variants have, e.g. Search',
): Promise<Variant> {
	const { account } = await call.connection();
	const variant = variantOf(account.settings);
	if (available.includes(variant)) return variant;
	const names = namesOf(available);
	const advice = `Select a credential whose API Variant is ${names}, or ${instead}.`;
	throw otherVariant(what, variant, available, advice);
}

/** The error for what the credential's variant does not have. */
export function otherVariant(
	what: string,
	variant: Variant,
	available: readonly Variant[],
	advice: string,
): InputError {
	return new InputError(
		`${what} is only available in the ${namesOf(available)} API, but the credential is for the ${VARIANT_NAMES[variant]} API`,
		advice,
	);
}

function namesOf(variants: readonly Variant[]): string {
	return variants.map((name) => VARIANT_NAMES[name]).join(' or ');
}

/** An endpoint in one variant: its path and its output. */
type EndpointRow = readonly [path: string, output: Output];

/**
 * Rows of the endpoint table, one for each variant that has the operation. The credential's variant
 * selects the row; with another credential, nothing is sent.
 *
 * @param findByName the IDNO of the company with a name, where a name can be given
 */
export function variantEndpoint(
	method: IHttpRequestMethods,
	rows: Partial<Record<Variant, EndpointRow>>,
	findByName?: FindByName,
): OperationRouting {
	const available = Object.keys(rows) as Variant[];
	const endpoints = Object.values(rows).map(([path]) => ({ method, path }));
	return {
		// n8n's `url` only has room for one path.
		request: { method, url: endpoints[0]?.path },
		operation: {
			endpoints,
			fields: Object.values(rows).find(([, { fields }]) => fields)?.[1].fields,
			async run(call) {
				const [path, output] = rows[await requireVariant(call, available)] as EndpointRow;
				return await runEndpoint(method, path, output, call, findByName);
			},
		},
	};
}

/**
 * Names under which a list can be found. The first is documented for the unversioned search; that
 * of the V1 search is not documented.
 */
export const LIST_KEYS: readonly [string, ...string[]] = ['data', 'results', 'companies', 'items'];

/** The shape of suggestions is not documented either. */
const SUGGESTION_KEYS = [...LIST_KEYS, 'suggestions'];

/** Names of a group that wraps a single record. */
export const RECORD_KEYS = ['data', 'company', 'result', 'dossier'];

const NONE_STATUSES = ['400', '404', '410', '422'];

/**
 * Undefined if an HTTP status says that there is no record for a company that exists; which status is
 * not documented. A failure in a response with status 200 can have any cause, so it is thrown.
 */
export async function unlessNone<T>(response: Promise<T>): Promise<T | undefined> {
	return await response.catch((error: unknown) => {
		const isRejection = error instanceof ServiceError && !error.failure;
		if (isRejection && NONE_STATUSES.includes(error.httpCode ?? '')) return undefined;
		throw error;
	});
}

/** The suggestions of an autocomplete. One that is only text becomes a record with its name. */
export function suggestionsIn(body: unknown): Json[] {
	return requirePage(body, SUGGESTION_KEYS, objectsOrNames, 'a list of suggestions').rows;
}

/** The single record of a response. Its fields are not documented, so all are kept. */
export function companyIn(body: unknown): Json {
	const found = readRecord(body, RECORD_KEYS);
	if (!found) throw unexpectedShape('a record', body);
	return withTextIdno(found);
}
