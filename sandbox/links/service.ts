import type { Request } from 'express';
import type { Answer } from '../shared/answer';
import type { FailureKind } from '../shared/checks';
import type { Exchange } from '../shared/endpoint';
import { RateLimiter, rateLimitHeaders, refusalAnswer } from '../shared/rateLimit';
import { type Admission, SandboxService } from '../shared/service';
import type { DeepPartial } from '../shared/settings';
import { LinkControl } from './control';
import type { LinkBackend } from './crud';
import type { ListQuery } from './records';
import * as resources from './resources';
import type { Rows } from './rowStore';
import {
	DEFAULT_LINK_SETTINGS,
	type LinkSettings,
	linkSettingsSchema,
	type ListName,
} from './settings';
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

/** A list request and its number, which counts the requests of this list from 1. */
export interface ListAnswered {
	list: ListName;
	nth: number;
	page: number;
}

/** The link-management API. */
export class LinkService extends SandboxService<LinkSettings> implements LinkBackend {
	/** The account's records; a new object after `reset()` and after new `counts`. */
	state: LinkState;
	readonly control = new LinkControl(() => this.state);
	private readonly limiter = new RateLimiter(() => this.settings.rateLimit, this.now);
	private readonly listRequests = new Map<ListName, number>();
	private readonly listeners = new Set<(answered: ListAnswered) => void>();

	constructor(change: DeepPartial<LinkSettings> | undefined, now: () => number) {
		super('links', linkSettingsSchema, DEFAULT_LINK_SETTINGS, change, now);
		this.state = this.freshState();
		for (const endpoints of Object.values(resources)) this.add(endpoints(this));
	}

	override configure(change: DeepPartial<LinkSettings>): void {
		super.configure(change);
		if (change.counts) this.state = this.freshState();
		if (change.shifts) this.listRequests.clear();
	}

	override reset(): void {
		super.reset();
		this.listeners.clear();
		this.listRequests.clear();
		this.state = this.freshState();
	}

	/** Calls back after every list response, for tests that move rows. Returns a function to stop it. */
	onListAnswered(listener: (answered: ListAnswered) => void): () => void {
		this.listeners.add(listener);
		return () => this.listeners.delete(listener);
	}

	resetLimits(): void {
		this.limiter.reset();
	}

	/** A page of the list; afterwards rows are added and deleted as the settings say. */
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
		const nth = (this.listRequests.get(list) ?? 0) + 1;
		this.listRequests.set(list, nth);
		this.shift(list, nth);
		for (const listener of this.listeners) listener({ list, nth, page: currentpage });
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

	private shift(list: ListName, nth: number): void {
		for (const rule of this.settings.shifts) {
			if (rule.list !== list || rule.afterListRequests !== nth) continue;
			const order = this.settings.order[list];
			const doomed = this.state[rule.list].slice(order, 0, rule.delete ?? 0);
			for (const { id } of doomed) this.control.deleteRow(rule.list, id);
			for (let i = 0; i < (rule.insert ?? 0); i++) this.control.addRow(rule.list);
		}
	}
}
