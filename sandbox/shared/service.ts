import { finished } from 'node:stream/promises';
import { setTimeout as wait } from 'node:timers/promises';
import { promisify } from 'node:util';
import express, { type NextFunction, type Request, type Response, type Router } from 'express';
import { type Answer, deliver, htmlAnswer } from './answer';
import { type FailureKind, ServiceError } from './checks';
import { type Endpoint, type Exchange, inputOf } from './endpoint';
import { type Fault, type FaultInput, Faults, stopsRequest } from './faults';
import { logEntry, type LoggedRequest } from './log';
import {
	changeSettings,
	type CommonSettings,
	type DeepPartial,
	type SettingsSchema,
} from './settings';

const MAX_JSON_BYTES = 1024 * 1024;

/** The result of checking the limits: headers for the response, and the response if rejected. */
export interface Admission {
	headers: Record<string, string>;
	refused?: Answer;
}

/** Handles every request. The services add their endpoints and rules. */
export abstract class SandboxService<S extends CommonSettings> {
	private readonly router: Router = express.Router({ caseSensitive: true });
	private readonly faults = new Faults();
	private readonly log: LoggedRequest[] = [];
	private readonly readBody = promisify<Request, Response>(
		express.raw({ type: () => true, limit: MAX_JSON_BYTES }),
	);
	readonly endpoints: Endpoint[] = [];
	private readonly initialSettings: S;
	private current: S;

	/** Root of the sandbox, known once it listens. */
	origin = '';

	protected constructor(
		readonly name: string,
		private readonly schema: SettingsSchema<S>,
		/** Settings that have no default. */
		own: DeepPartial<S>,
		change: DeepPartial<S> | undefined,
		readonly now: () => number,
	) {
		this.initialSettings = changeSettings(schema, own as object, change);
		this.current = this.initialSettings;
	}

	/** Body and status of a failure. */
	protected abstract failure(kind: FailureKind, message: string): Answer;
	/** Body of a success. */
	protected abstract success(body: unknown): Answer;
	/** The key that the request carries, or undefined. */
	protected abstract presentedKey(req: Request): string | undefined;
	/** Counts the request against the limits of the key. */
	protected abstract admit(bucket: string, endpoint: { outsideQuota?: boolean }): Admission;
	/** Resets every window. */
	abstract resetLimits(): void;

	get settings(): Readonly<S> {
		return this.current;
	}

	/** Address that clients take as their base URL: paths below it start with `/api`. */
	get baseUrl(): string {
		return this.origin + this.settings.basePath;
	}

	get apiKey(): string {
		return this.settings.apiKey;
	}

	/** The latest `logCapacity` requests, oldest first. */
	get requests(): readonly LoggedRequest[] {
		return this.log;
	}

	/** Changes the given settings; nested objects are merged. */
	configure(change: DeepPartial<S>): void {
		this.current = changeSettings(this.schema, this.current, change);
	}

	inject(fault: FaultInput): void {
		this.faults.inject(fault);
	}

	clearFaults(): void {
		this.faults.clear();
	}

	clearRequests(): void {
		this.log.length = 0;
	}

	/** Resets everything: settings, data, windows, faults, log. */
	reset(): void {
		this.current = this.initialSettings;
		this.clearFaults();
		this.clearRequests();
		this.resetLimits();
	}

	/** Handles the requests below the base path; an unknown path returns an HTML page, as on the web. */
	readonly middleware = (req: Request, res: Response, next: NextFunction): void => {
		const { basePath } = this.settings;
		if (!req.url.startsWith(`${basePath || '/api'}/`)) {
			next();
			return;
		}
		req.url = req.url.slice(basePath.length);
		this.receive(req, res).catch((error: unknown) => deliver(res, breakdown(error)));
	};

	private async receive(req: Request, res: Response): Promise<void> {
		const logged = logEntry(this.name, req, this.now());
		res.locals.logged = logged;
		this.log.push(logged);
		while (this.log.length > this.settings.logCapacity) this.log.shift();
		if (!this.isStreamed(req)) await this.takeBody(req, res, logged);
		const fault = this.faults.take(req.method, logged.path);
		const { latencyMs } = this.settings;
		if (latencyMs > 0) await wait(latencyMs, undefined, { ref: false });
		if (fault && stopsRequest(fault)) {
			if (!fault.cut) await takeRest(req);
			deliver(res, NOT_FOUND, fault);
			return;
		}
		res.locals.exchange = { req, logged, key: '' } satisfies Exchange;
		res.locals.fault = fault;
		this.router(req, res, (error?: unknown) => {
			deliver(res, error === undefined ? NOT_FOUND : breakdown(error), fault);
		});
	}

	private isStreamed({ method, path }: Request): boolean {
		return this.endpoints.some(
			(each) =>
				each.streamed &&
				each.method === method.toLowerCase() &&
				path.startsWith(each.path.slice(0, each.path.indexOf(':'))),
		);
	}

	private async takeBody(req: Request, res: Response, logged: LoggedRequest): Promise<void> {
		await this.readBody(req, res);
		if (!Buffer.isBuffer(req.body) || req.body.length === 0) return;
		logged.bodyBytes = req.body.length;
		logged.body = parseJson(req.body.toString('utf8'));
	}

	/** Adds documented endpoints. */
	add(endpoints: Endpoint[]): void {
		this.endpoints.push(...endpoints);
		for (const endpoint of endpoints) {
			this.router[endpoint.method](endpoint.path, async (_req, res) => {
				const { exchange, fault } = res.locals as { exchange: Exchange; fault?: Fault };
				const answer = await this.answer(endpoint, exchange);
				await takeRest(exchange.req);
				deliver(res, answer, fault);
			});
		}
	}

	private async answer(endpoint: Endpoint, exchange: Exchange): Promise<Answer> {
		const key = this.presentedKey(exchange.req);
		// Wrong keys share one window, so that guessing cannot fill the memory.
		const admission = this.admit(this.isAccepted(key) ? key : '', endpoint);
		const answer = admission.refused ?? (await this.carryOut(endpoint, exchange, key));
		// Otherwise, Node.js would send the real time, whatever the sandbox's clock says.
		const date = new Date(this.now()).toUTCString();
		return { ...answer, headers: { Date: date, ...admission.headers, ...answer.headers } };
	}

	private async carryOut(
		endpoint: Endpoint,
		exchange: Exchange,
		key: string | undefined,
	): Promise<Answer> {
		try {
			exchange.key = this.authenticate(key);
			const input = inputOf(endpoint, exchange);
			return this.success(await endpoint.handle(input, exchange));
		} catch (error) {
			if (error instanceof ServiceError) return this.failure(error.kind, error.message);
			throw error;
		}
	}

	private isAccepted(key: string | undefined): key is string {
		return key !== undefined && [this.apiKey, ...this.settings.otherApiKeys].includes(key);
	}

	private authenticate(key: string | undefined): string {
		if (key === undefined) throw new ServiceError('unauthorized', 'The API key is missing');
		if (!this.isAccepted(key)) throw new ServiceError('unauthorized', 'The API key is not valid');
		return key;
	}
}

const NOT_FOUND = htmlAnswer(404, '404 Not Found', 'The page you are looking for does not exist.');

/** The response to a request that can't be read, or to a bug in the sandbox. */
function breakdown(error: unknown): Answer {
	const { status = 500, message = 'Unknown' } = error as { status?: number; message?: string };
	return htmlAnswer(status, `Error ${status}`, message);
}

/** Reads the rest of a streamed body: a client that is still sending wouldn't see the response. */
async function takeRest(req: Request): Promise<void> {
	if (req.readableEnded || req.destroyed) return;
	req.resume();
	await finished(req, { writable: false }).catch(() => {});
}

function parseJson(text: string): unknown {
	try {
		return JSON.parse(text) as unknown;
	} catch {
		return text;
	}
}
