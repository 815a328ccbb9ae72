import { z } from 'zod';
import { checked } from './checks';

/**
 * Something that goes wrong with a request. Without `carryOut`, a fault that replaces the response
 * (`status`, `cut: 'before-any-byte'`) also prevents the request from being carried out and counted.
 * `cut: 'mid-body'` and `malformed` damage the response to a request that was carried out.
 */
export const faultSchema = z
	.object({
		/** Only requests of this method. */
		method: z
			.string()
			.transform((method) => method.toUpperCase())
			.optional(),
		/** Only this path (decoded, without base path and query), or paths that match. */
		path: z.union([z.string(), z.instanceof(RegExp)]).optional(),
		/** A regular expression for `path`, as text: for faults that travel as JSON. */
		pathPattern: z.string().optional(),
		/** How many matching requests it affects. Default 1. */
		times: z.union([z.number().min(1), z.literal('always')]).default(1),
		/** How many matching requests pass before the first one it affects. Default 0. */
		after: z.number().int().min(0).default(0),
		/** Milliseconds to wait before anything else. */
		delayMs: z.number().min(0).optional(),
		/** Responds with this status, `body` (default: an HTML page) and `headers`. */
		status: z.number().int().min(200).max(599).optional(),
		body: z.unknown().optional(),
		/** Headers added to the response. */
		headers: z.record(z.string()).optional(),
		/** Cuts the connection. */
		cut: z.enum(['before-any-byte', 'mid-body']).optional(),
		/** HTML or nothing instead of JSON (status 200), half of the JSON, or JSON of another shape. */
		malformed: z.enum(['html', 'empty', 'cut-off-json', 'wrong-shape']).optional(),
		/** Repeats this many rows of the previous page at the start of a list page. */
		repeatRows: z.number().int().min(1).optional(),
		/** Carries out the request before the fault applies. */
		carryOut: z.boolean().default(false),
	})
	.strict();

export type Fault = z.infer<typeof faultSchema>;
export type FaultInput = z.input<typeof faultSchema>;

interface PendingFault {
	fault: Fault;
	pattern: RegExp | undefined;
	toPass: number;
	toHit: number;
}

/** The pending faults, first come first served. */
export class Faults {
	private pending: PendingFault[] = [];

	inject(input: FaultInput): void {
		const fault = checked(faultSchema, input, 'fault field');
		this.pending.push({
			fault,
			pattern: fault.pathPattern === undefined ? undefined : new RegExp(fault.pathPattern),
			toPass: fault.after,
			toHit: fault.times === 'always' ? Infinity : fault.times,
		});
	}

	clear(): void {
		this.pending = [];
	}

	list(): Fault[] {
		return this.pending.map(({ fault }) => fault);
	}

	/** The fault for this request, if any, which is removed from the pending ones. */
	take(method: string, path: string): Fault | undefined {
		for (const entry of this.pending) {
			if (!matches(entry, method, path)) continue;
			if (entry.toPass > 0) {
				entry.toPass--;
				continue;
			}
			entry.toHit--;
			if (entry.toHit <= 0) this.pending = this.pending.filter((other) => other !== entry);
			return entry.fault;
		}
		return undefined;
	}
}

/** Whether the fault replaces the whole response, so that the request isn't processed. */
export function stopsRequest(fault: Fault): boolean {
	return !fault.carryOut && (fault.status !== undefined || fault.cut === 'before-any-byte');
}

function matches({ fault, pattern }: PendingFault, method: string, path: string): boolean {
	if (fault.method !== undefined && fault.method !== method) return false;
	if (pattern && !pattern.test(path)) return false;
	if (fault.path === undefined) return true;
	// A regular expression with the g flag remembers where it stopped.
	return typeof fault.path === 'string'
		? fault.path === path
		: new RegExp(fault.path.source, fault.path.flags.replace(/[gy]/g, '')).test(path);
}
