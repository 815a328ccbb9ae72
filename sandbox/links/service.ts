import type { Request } from 'express';
import type { Answer } from '../shared/answer';
import type { Exchange } from '../shared/endpoint';
import type { FailureKind } from '../shared/errors';
import { RateLimiter, rateLimitHeaders, refusalAnswer } from '../shared/rateLimit';
import { type Admission, SandboxService } from '../shared/service';
import type { DeepPartial } from '../shared/settings';
import { LinkControl } from './control';
import { listPage, type Rows } from './lists';
import * as routes from './routes';
import type { ListQuery } from './schemas';
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

/** An answered list request. `nth` counts the requests of this list from 1. */
export interface ListAnswered {
	list: ListName;
	nth: number;
	page: number;
}

/** The link-management API. */
export class LinkService extends SandboxService<LinkSettings> {
	/** The account's records; a new object after `reset()` and after new `counts`. */
	state: LinkState;
	readonly control = new LinkControl(() => this.state);
	private readonly limiter = new RateLimiter(() => this.settings.rateLimit, this.now);
	private readonly listRequests = new Map<ListName, number>();
	private readonly listeners = new Set<(answered: ListAnswered) => void>();

	constructor(change: DeepPartial<LinkSettings> | undefined, now: () => number) {
		super('links', linkSettingsSchema, DEFAULT_LINK_SETTINGS, change, now);
		this.state = this.freshState();
		for (const addRoutes of Object.values(routes)) addRoutes(this, this.endpoint);
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

	/** Calls back after every answered list request, for tests that move rows. Returns the undo. */
	onListAnswered(listener: (answered: ListAnswered) => void): () => void {
		this.listeners.add(listener);
		return () => this.listeners.delete(listener);
	}

	resetLimits(): void {
		this.limiter.reset();
	}

	/** Answers a page of the list, then lets rows come and go as the settings say. */
	answerList<T>(list: ListName, rows: Rows<T>, query: ListQuery, { fault }: Exchange): unknown {
		const page = listPage(list, rows, query, this.settings, fault);
		const nth = (this.listRequests.get(list) ?? 0) + 1;
		this.listRequests.set(list, nth);
		this.shift(list, nth);
		for (const listener of this.listeners) listener({ list, nth, page: query.page ?? 1 });
		return page;
	}

	protected presentedKey(req: Request): string | undefined {
		if (this.settings.dropAuthorization) return undefined;
		return /^Bearer\s+(\S+)\s*$/i.exec(req.headers.authorization ?? '')?.[1];
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
