import type { IHttpRequestMethods } from 'n8n-workflow';

import { MINUTE_MS } from '../shared/http/clock';
import type { Service } from '../shared/http/connection';
import { InputError } from '../shared/http/errors';
import { runEndpoint } from '../shared/node/operation';
import type { OperationCall, OperationRouting, Output } from '../shared/node/operation';
import { isBlank } from '../shared/node/validators';

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
	keyHint:
		'The key of one variant of the API is not valid for the other, so check the API Variant and the Base URL of the credential, too.',
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

/** What a company search looks for, named as in the API. */
export interface SearchQuery {
	q?: unknown;
	caen?: unknown;
	region?: unknown;
}

/** @throws InputError when there is nothing to search for, or the variant has no such filter */
export function requireSearchable(variant: Variant, { q, caen, region }: SearchQuery): void {
	if ([q, caen, region].every(isBlank)) {
		throw new InputError(
			'There is nothing to search for',
			variant === 'v1' ? 'Enter a "Query", a "CAEN Code" or a "Region".' : 'Enter a "Query".',
		);
	}
	if (variant === 'v1' || (isBlank(caen) && isBlank(region))) return;
	const filter = isBlank(caen) ? 'Region' : 'CAEN Code';
	const advice = 'Remove the filter, or select a credential whose API Variant is V1.';
	throw otherVariant(`The filter "${filter}"`, variant, ['v1'], advice);
}

/** An endpoint in one variant: its path and its output. */
type EndpointRow = readonly [path: string, output: Output];

/**
 * Rows of the endpoint table, one for each variant that has the operation. The credential's variant
 * selects the row; with another credential, nothing is sent.
 */
export function variantEndpoint(
	method: IHttpRequestMethods,
	rows: Partial<Record<Variant, EndpointRow>>,
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
				return await runEndpoint(method, path, output, call);
			},
		},
	};
}
