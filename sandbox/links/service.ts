import type { Request } from 'express';
import type { Answer } from '../shared/answer';
import { type FailureKind, STATUSES } from '../shared/checks';
import { RateLimiter, rateLimitHeaders, retryAfter } from '../shared/rateLimit';
import { type Admission, SandboxService } from '../shared/service';
import type { DeepPartial } from '../shared/settings';
import type { ListQuery } from './records';
import type { Rows } from './rowStore';
import { type LinkSettings, linkSettingsSchema, type ListName, LISTS } from './settings';
import { LinkState } from './state';

/** Rows per page if `limit` isn't sent. */
const DEFAULT_PAGE_SIZE = 15;

const LIMIT_MESSAGE = 'You have exceeded the number of requests allowed. Try again later.';

export class LinkService extends SandboxService<LinkSettings> {
	/** The account's records; a new object after `reset()` and after new `counts`. */
	state: LinkState;
	private readonly limiter = new RateLimiter(
		() => ({ ...this.settings.rateLimit, kind: 'fixed', alignment: 'first-request' }),
		this.now,
	);

	constructor(change: DeepPartial<LinkSettings> | undefined, now: () => number) {
		const own = { apiKey: 'sandbox-link-key', basePath: '/links' };
		super('links', linkSettingsSchema, own, change, now);
		this.state = this.freshState();
	}

	/** Events that don't go through the API are changes of the account's records. */
	get control(): LinkState {
		return this.state;
	}

	override configure(change: DeepPartial<LinkSettings>): void {
		super.configure(change);
		if (change.counts) this.state = this.freshState();
	}

	override reset(): void {
		super.reset();
		this.state = this.freshState();
	}

	resetLimits(): void {
		this.limiter.reset();
	}

	/** A page of the list, newest rows first, under its key. */
	listPage([list, key]: [ListName, string], rows: Rows<object>, query: ListQuery): unknown {
		const perpage = Math.min(query.limit ?? DEFAULT_PAGE_SIZE, this.settings.maxPageSize);
		const currentpage = query.page ?? 1;
		const maxpage = Math.max(1, Math.ceil(rows.size / perpage));
		const content = {
			...{ result: rows.size, perpage, currentpage },
			...{ nextpage: currentpage < maxpage ? currentpage + 1 : null, maxpage },
			[key]: rows.newest((currentpage - 1) * perpage, perpage),
		};
		const { error } = LISTS[list];
		return list === 'files' ? { error, ...content } : { error, data: content };
	}

	protected presentedKey(req: Request): string | undefined {
		return /^Bearer (.+)$/i.exec(req.headers.authorization ?? '')?.[1];
	}

	protected admit(bucket: string): Admission {
		const { rateLimit } = this.settings;
		const window = this.limiter.take(bucket);
		const headers = rateLimitHeaders(window, rateLimit);
		if (!window || window.allowed) return { headers };
		const failure = this.failure('rateLimited', LIMIT_MESSAGE);
		return { headers, refused: { ...failure, headers: retryAfter(window, this.now()) } };
	}

	protected success(body: unknown): Answer {
		return { status: 200, type: 'json', body: { error: 0, ...(body as object) } };
	}

	protected failure(kind: FailureKind, message: string): Answer {
		return { status: STATUSES[kind], type: 'json', body: { error: 1, message } };
	}

	private freshState(): LinkState {
		return new LinkState(this.settings.counts, this.now);
	}
}
