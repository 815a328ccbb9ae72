import type { Request } from 'express';
import type { Answer } from '../shared/answer';
import type { FailureKind } from '../shared/checks';
import type { Exchange } from '../shared/endpoint';
import { RateLimiter, rateLimitHeaders, refusalAnswer } from '../shared/rateLimit';
import { type Admission, SandboxService } from '../shared/service';
import type { DeepPartial } from '../shared/settings';
import type { ListQuery } from './records';
import type { Rows } from './rowStore';
import { type LinkSettings, linkSettingsSchema, type ListName } from './settings';
import { LinkState } from './state';

const STATUSES: Record<FailureKind, number> = {
	badRequest: 400,
	unauthorized: 401,
	notFound: 404,
	tooLarge: 413,
	rateLimited: 429,
	quotaExhausted: 429,
};

const LIMIT_MESSAGE = 'You have exceeded the number of requests allowed. Try again later.';

export class LinkService extends SandboxService<LinkSettings> {
	/** The account's records; a new object after `reset()` and after new `counts`. */
	state: LinkState;
	private readonly limiter = new RateLimiter(() => this.settings.rateLimit, this.now);
	private readonly listRequests = new Map<ListName, number>();

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
		if (change.shifts) this.listRequests.clear();
	}

	override reset(): void {
		super.reset();
		this.listRequests.clear();
		this.state = this.freshState();
	}

	resetLimits(): void {
		this.limiter.reset();
	}

	/** A page of the list, under its key; afterwards rows are added and deleted as the settings say. */
	listPage(
		[list, key]: [ListName, string],
		rows: Rows<object>,
		query: ListQuery,
		{ fault }: Exchange,
	): unknown {
		const { settings } = this;
		const perpage = Math.min(query.limit ?? settings.defaultPageSize, settings.maxPageSize);
		const currentpage = query.page ?? 1;
		const maxpage = Math.max(1, Math.ceil(rows.size / perpage));
		const start = (currentpage - 1) * perpage;
		const repeated = Math.min(start, fault?.repeatRows ?? 0);
		const page = rows.slice(settings.order[list], start - repeated, perpage + repeated);
		const content = {
			result: settings.resultCounts === 'total' ? rows.size : page.length,
			perpage,
			currentpage,
			nextpage: currentpage < maxpage ? currentpage + 1 : null,
			maxpage,
			...settings.wrongCounters[list],
			[key]: page,
		};
		this.shift(list);
		const error = settings.zeroAs[list] === 'string' ? '0' : 0;
		return list === 'files' ? { error, ...content } : { error, data: content };
	}

	protected presentedKey(req: Request): string | undefined {
		if (this.settings.dropAuthorization) return undefined;
		return /^Bearer (.+)$/i.exec(req.headers.authorization ?? '')?.[1];
	}

	protected admit(bucket: string): Admission {
		const { rateLimit } = this.settings;
		const window = this.limiter.take(bucket);
		const headers = rateLimitHeaders(window, rateLimit, this.now());
		if (!window || window.allowed) return { headers };
		const failure = this.failure('rateLimited', LIMIT_MESSAGE);
		const refused = refusalAnswer(rateLimit.refusal, failure, LIMIT_MESSAGE, window, this.now());
		return { headers, refused };
	}

	protected success(body: unknown): Answer {
		return { status: 200, type: 'json', body: { error: 0, ...(body as object) } };
	}

	protected failure(kind: FailureKind, message: string): Answer {
		const { errorStatus, oneAs } = this.settings;
		const status = errorStatus === 'ok' ? 200 : STATUSES[kind];
		return { status, type: 'json', body: { error: oneAs === 'string' ? '1' : 1, message } };
	}

	private freshState(): LinkState {
		return new LinkState(this.settings.counts, this.now);
	}

	/** Counts the requests of a list, and moves its rows if a rule says so. */
	private shift(list: ListName): void {
		const nth = (this.listRequests.get(list) ?? 0) + 1;
		this.listRequests.set(list, nth);
		for (const rule of this.settings.shifts) {
			if (rule.list !== list || rule.afterListRequests !== nth) continue;
			const order = this.settings.order[list];
			const doomed = this.state[rule.list].slice(order, 0, rule.delete ?? 0);
			for (const { id } of doomed) this.state.deleteRow(rule.list, id);
			for (let i = 0; i < (rule.insert ?? 0); i++) this.state.addRow(rule.list);
		}
	}
}
