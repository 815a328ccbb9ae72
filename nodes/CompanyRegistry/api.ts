import { CompanyRegistryApi } from '../../credentials/CompanyRegistryApi.credentials';
import { MINUTE_MS } from '../shared/http/clock';
import type { Service } from '../shared/http/connection';
import { hasContent } from '../shared/http/envelope';
import { InputError } from '../shared/http/inputError';
import { isJson } from '../shared/http/json';
import type { Call } from '../shared/node/call';
import { credentialTest } from '../shared/node/credentialTest';
import { callEndpoint, urlOf } from '../shared/node/operation';
import type { Operation, OperationRouting, Output } from '../shared/node/operation';
import { wholeNumberIn, yesOrNo } from '../shared/node/values';

/** `v1` is the API under `/api/v1/…`, and `unversioned` the one under `/api/…` (docs/maintainers/services.md, "Company Registry: requests"). */
export type Variant = 'v1' | 'unversioned';

export interface Plan {
	perMinute: number;
	perDay: number;
}

/** Documented plans, the smallest first, by the credential's `plan` (docs/maintainers/services.md, "Company Registry: limits"). */
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

/** Plans whose limits the user enters in the credential. */
const OWN_NUMBERS = ['enterprise', 'custom'];

/** A credential's fields. The key may have been removed. */
type Settings = Readonly<Record<string, unknown>>;

export function variantOf({ variant }: Settings): Variant {
	return variant === 'unversioned' ? 'unversioned' : 'v1';
}

/**
 * The limits of the credential's plan. An invalid limit falls back to the smallest plan's. So does a plan
 * of the other variant: n8n keeps the old value when a user changes *API Variant*.
 */
export function planOf(credentials: Settings): Plan {
	const plans: Record<string, Plan> = PLANS[variantOf(credentials)];
	const [smallest] = Object.values(plans) as [Plan];
	const plan = String(credentials.plan);
	if (!OWN_NUMBERS.includes(plan)) return plans[plan] ?? smallest;
	return {
		perMinute: positive(credentials.requestsPerMinute) ?? smallest.perMinute,
		perDay: positive(credentials.requestsPerDay) ?? smallest.perDay,
	};
}

function positive(value: unknown): number | undefined {
	const number = Math.floor(wholeNumberIn(value) ?? Number(value));
	return Number.isFinite(number) && number >= 1 ? number : undefined;
}

export const companyRegistry: Service = {
	name: 'Company Registry',
	credential: 'companyRegistryApi',
	rate: (credentials) => {
		const { perMinute, perDay } = planOf(credentials);
		return { limit: perMinute, windowMs: MINUTE_MS, perDay };
	},
	// Some services may leave out `success` (docs/maintainers/services.md, "Company Registry: errors"). Lists, suggestions
	// and the key's status are recognizable without it, but any object could pass for a company.
	succeeded(body, { path }) {
		if (isJson(body) && 'success' in body) return yesOrNo(body.success) === true;
		const isRecord = /\/(company|credit)\//.test(path);
		return (!isRecord && hasContent(body)) || undefined;
	},
	addressFields: 'API Variant and Base URL',
};

/** The variant of the item's credential. @throws InputError if the credential is missing */
export async function callVariant(call: Call): Promise<Variant> {
	return variantOf((await call.connection()).account.settings);
}

/** The error for what only the other variant has. The message begins with `what`. */
export function otherVariant(what: string, variant: Variant, instead: string): InputError {
	const [own, other] = variant === 'v1' ? ['V1', 'Unversioned'] : ['Unversioned', 'V1'];
	return new InputError(
		`${what} is only available in the ${other} API, but the credential is for the ${own} API`,
		`Select a credential whose API Variant is ${other}, or ${instead}.`,
	);
}

/**
 * An operation whose path depends on the credential's variant. If that variant doesn't have the operation,
 * it fails without sending anything.
 */
export function variantEndpoint(
	paths: Partial<Record<Variant, string>>,
	output: Output,
): OperationRouting {
	const { v1, unversioned } = paths;
	const method = 'GET';
	const endpoints = Object.values(paths).map((path) => ({ method, path }) as const);
	const operation: Operation = {
		fields: output.fields,
		endpoints,
		prepare(call) {
			const send = output.prepare(call);
			const run = async () => {
				const variant = await callVariant(call);
				const path = paths[variant];
				if (path !== undefined) return await callEndpoint(method, path, call, send);
				const instead = 'use an operation that both variants have, e.g. Search';
				throw otherVariant('This operation', variant, instead);
			};
			return { run };
		},
	};
	const byVariant = `={{$credentials.variant === 'unversioned' ? '${unversioned}' : '${v1}'}}`;
	const url = v1 && unversioned ? byVariant : urlOf(v1 ?? unversioned!);
	return { request: { method, url }, operation };
}

export const testCompanyRegistryKey = credentialTest(
	companyRegistry,
	new CompanyRegistryApi(),
	// The V1 status call doesn't use quota. The Unversioned API has no such call, so search for one company.
	(fields) =>
		variantOf(fields) === 'unversioned' ? '/api/search?q=SRL&limit=1' : '/api/v1/status',
	'success',
);
