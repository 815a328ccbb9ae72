import type { Request } from 'express';
import type { Answer } from '../shared/answer';
import type { FailureKind } from '../shared/checks';
import {
	RateLimiter,
	rateLimitHeaders,
	refusalAnswer,
	type WindowState,
} from '../shared/rateLimit';
import { type Admission, SandboxService } from '../shared/service';
import type { DeepPartial } from '../shared/settings';
import type { CompanyDirectory } from './directory';
import { PLANS, type RegistrySettings, registrySettingsSchema } from './settings';

type Variant = 'v1' | 'unversioned';

const OWN_SETTINGS = {
	v1: { apiKey: 'sandbox-registry-key', basePath: '/registry', plan: 'developer-free' },
	unversioned: { apiKey: 'sandbox-registry-alt-key', basePath: '/registry-alt', plan: 'free' },
} as const;

const LIMIT_MESSAGES = {
	rateLimited: 'Too many requests per minute for your plan.',
	quotaExhausted: 'The daily request quota of your plan is exhausted.',
};

/** One variant of the company-registry API. */
export class RegistryService extends SandboxService<RegistrySettings> {
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
		super(`registry.${variant}`, registrySettingsSchema, OWN_SETTINGS[variant], change, now);
		this.ignoredQuery = variant === 'v1' ? ['api_key'] : [];
	}

	/** The same as `state`, because all events of the registry are changes to companies. */
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
		return this.day.take(key, false);
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
		const day = this.day.take(bucket, countsToday);
		const described = headersDescribe === 'minute' ? minute : day;
		const headers = rateLimitHeaders(described, rateLimit, this.now());
		if (minute?.allowed === false) {
			return { headers, refused: this.refuse('rateLimited', rateLimit, minute) };
		}
		if (countsToday && day?.allowed === false) {
			return { headers, refused: this.refuse('quotaExhausted', dailyQuota, day) };
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
		return { status, type: 'json', body: FAILURE_BODIES[failureShape](message, kind) };
	}

	private refuse(
		kind: 'rateLimited' | 'quotaExhausted',
		{ refusal }: Pick<RegistrySettings['rateLimit'], 'refusal'>,
		window: WindowState,
	): Answer {
		const message = LIMIT_MESSAGES[kind];
		return refusalAnswer(refusal, this.failure(kind, message), message, window, this.now());
	}
}

/** A failure's code, such as `NOT_FOUND`. */
function codeOf(kind: FailureKind): string {
	return kind.replace(/[A-Z]/g, '_$&').toUpperCase();
}

const FAILURE_BODIES = {
	'success-error-text': (message: string) => ({ success: false, error: message }),
	'success-error-object': (message: string, kind: FailureKind) => ({
		...{ success: false, error: { code: codeOf(kind), message } },
	}),
	'success-message': (message: string) => ({ success: false, message }),
	'error-text': (message: string) => ({ error: message }),
	detail: (message: string) => ({ detail: message }),
};
