import type { Request } from 'express';
import type { Answer } from '../shared/answer';
import { type FailureKind, STATUSES } from '../shared/checks';
import { RateLimiter, rateLimitHeaders, retryAfter, type WindowState } from '../shared/rateLimit';
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
	private readonly minute = new RateLimiter(
		() => ({
			...{ kind: 'fixed', alignment: 'first-request', ...this.settings.rateLimit },
			limit: this.limitPer('minute'),
		}),
		this.now,
	);
	private readonly day = new RateLimiter(
		() => ({
			...{ kind: 'fixed', alignment: 'clock', ...this.settings.dailyQuota },
			limit: this.limitPer('day'),
		}),
		this.now,
	);

	constructor(
		variant: Variant,
		/** The companies, shared by both variants: `update` changes one. */
		readonly state: CompanyDirectory,
		change: DeepPartial<RegistrySettings> | undefined,
		now: () => number,
	) {
		super(`registry.${variant}`, registrySettingsSchema, OWN_SETTINGS[variant], change, now);
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
		return req.get('x-api-key') || undefined;
	}

	protected admit(bucket: string, { outsideQuota }: { outsideQuota?: boolean }): Admission {
		const { rateLimit } = this.settings;
		const minute = this.minute.take(bucket);
		const countsToday = !outsideQuota && minute?.allowed !== false;
		const day = this.day.take(bucket, countsToday);
		const headers = rateLimitHeaders(minute, rateLimit);
		if (minute?.allowed === false) return { headers, refused: this.refuse('rateLimited', minute) };
		if (countsToday && day?.allowed === false) {
			return { headers, refused: this.refuse('quotaExhausted', day) };
		}
		return { headers };
	}

	protected success(body: unknown): Answer {
		return { status: 200, type: 'json', body: { success: true, ...(body as object) } };
	}

	protected failure(kind: FailureKind, message: string): Answer {
		return { status: STATUSES[kind], type: 'json', body: { success: false, error: message } };
	}

	private refuse(kind: 'rateLimited' | 'quotaExhausted', window: WindowState): Answer {
		const failure = this.failure(kind, LIMIT_MESSAGES[kind]);
		return { ...failure, headers: retryAfter(window, this.now()) };
	}
}
