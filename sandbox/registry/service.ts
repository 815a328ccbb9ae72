import type { Request } from 'express';
import type { Answer } from '../shared/answer';
import type { FailureKind } from '../shared/checks';
import {
	RateLimiter,
	rateLimitHeaders,
	type Refusal,
	refusalAnswer,
	type WindowState,
} from '../shared/rateLimit';
import { type Admission, SandboxService } from '../shared/service';
import type { DeepPartial } from '../shared/settings';
import type { RegistryBackend } from './backend';
import type { CompanyDirectory } from './directory';
import {
	DEFAULT_REGISTRY_SETTINGS,
	PLANS,
	type RegistrySettings,
	registrySettingsSchema,
} from './settings';
import { unversionedEndpoints } from './unversioned';
import { v1Endpoints } from './v1';

export type Variant = 'v1' | 'unversioned';

const ENDPOINTS = { v1: v1Endpoints, unversioned: unversionedEndpoints };

const LIMIT_MESSAGES = {
	rateLimited: 'Too many requests per minute for your plan.',
	quotaExhausted: 'The daily request quota of your plan is exhausted.',
};

/** One variant of the company-registry API. */
export class RegistryService extends SandboxService<RegistrySettings> implements RegistryBackend {
	protected override readonly ignoredQuery: readonly string[];
	private readonly minute = new RateLimiter(
		() => ({ ...this.settings.rateLimit, limit: this.limitPer('minute') }),
		this.now,
	);
	private readonly day = new RateLimiter(
		() => ({ ...this.settings.dailyQuota, limit: this.limitPer('day') }),
		this.now,
	);

	constructor(
		readonly variant: Variant,
		/** The companies, shared by both variants: `update` changes one. */
		readonly state: CompanyDirectory,
		change: DeepPartial<RegistrySettings> | undefined,
		now: () => number,
	) {
		const defaults = DEFAULT_REGISTRY_SETTINGS[variant];
		super(`registry.${variant}`, registrySettingsSchema, defaults, change, now);
		this.ignoredQuery = variant === 'v1' ? ['api_key'] : [];
		this.add(ENDPOINTS[variant](this));
	}

	/** The same as `state`: all events of the registry are changes of companies. */
	get control(): CompanyDirectory {
		return this.state;
	}

	/** Requests per minute or day; null without a limit. */
	limitPer(period: 'minute' | 'day'): number | null {
		const { dailyQuota, plan, rateLimit } = this.settings;
		const { limit } = period === 'minute' ? rateLimit : dailyQuota;
		if (limit !== 'plan') return limit;
		return period === 'minute' ? PLANS[plan].perMinute : PLANS[plan].perDay;
	}

	/** Requests that the key has left today, and when the day ends; null without a quota. */
	quotaOf(key: string): WindowState | null {
		return this.day.peek(key);
	}

	resetLimits(): void {
		this.minute.reset();
		this.day.reset();
	}

	protected presentedKey(req: Request): string | undefined {
		const inHeader = req.headers['x-api-key'];
		const inQuery = this.variant === 'v1' ? req.query.api_key : undefined;
		const key = inHeader ?? inQuery;
		return typeof key === 'string' && key !== '' ? key : undefined;
	}

	protected admit(bucket: string, { outsideQuota }: { outsideQuota?: boolean }): Admission {
		const { rateLimit, dailyQuota, headersDescribe } = this.settings;
		const minute = this.minute.take(bucket);
		const countsToday = !outsideQuota && minute?.allowed !== false;
		const day = countsToday ? this.day.take(bucket) : this.day.peek(bucket);
		const described = headersDescribe === 'minute' ? minute : day;
		const headers = rateLimitHeaders(described, rateLimit, this.now());
		if (minute?.allowed === false) {
			return { headers, refused: this.refuse('rateLimited', rateLimit.refusal, minute) };
		}
		if (countsToday && day?.allowed === false) {
			return { headers, refused: this.refuse('quotaExhausted', dailyQuota.refusal, day) };
		}
		return { headers };
	}

	protected success(body: unknown): Answer {
		const marked = Array.isArray(body) ? body : { success: true, ...(body as object) };
		return { status: 200, type: 'json', body: marked };
	}

	protected failure(kind: FailureKind, message: string): Answer {
		const { failureShape, failureStatuses } = this.settings;
		const status = kind in failureStatuses ? failureStatuses[kind as 'notFound'] : 429;
		if (failureShape === 'plain-text') return { status, type: 'text', body: message };
		return { status, type: 'json', body: FAILURE_BODIES[failureShape](kind, message) };
	}

	private refuse(
		kind: 'rateLimited' | 'quotaExhausted',
		refusal: Refusal,
		window: WindowState,
	): Answer {
		const message = LIMIT_MESSAGES[kind];
		return refusalAnswer(refusal, this.failure(kind, message), message, window, this.now());
	}
}

/** `NOT_FOUND` and the like. */
function codeOf(kind: FailureKind): string {
	return kind.replace(/[A-Z]/g, '_$&').toUpperCase();
}

const FAILURE_BODIES = {
	'success-error-text': (_kind: FailureKind, message: string) => ({
		...{ success: false, error: message },
	}),
	'success-error-object': (kind: FailureKind, message: string) => ({
		...{ success: false, error: { code: codeOf(kind), message } },
	}),
	'success-message': (_kind: FailureKind, message: string) => ({ success: false, message }),
	'error-text': (_kind: FailureKind, message: string) => ({ error: message }),
	detail: (_kind: FailureKind, message: string) => ({ detail: message }),
};
