import { z } from 'zod';
import { checked } from './checks';

/**
 * Something that goes wrong with a request. Without `carryOut`, a fault that replaces the response
 * (`status`, `cut: 'before-any-byte'`) also prevents the request from being carried out and counted.
 */
const faultSchema = z
	.object({
		/** Only requests of this method. */
		method: z.enum(['GET', 'POST', 'PUT', 'DELETE']).optional(),
		/** Only this path: decoded, without base path and query. */
		path: z.string().optional(),
		/** How many matching requests it affects. */
		times: z.union([z.number().min(1), z.literal('always')]).default(1),
		/** How many matching requests pass before the first one it affects. */
		after: z.number().int().min(0).default(0),
		/** Responds with this status, `body` (default: an HTML page) and `headers`. */
		status: z.number().int().min(200).max(599).optional(),
		body: z.unknown().optional(),
		headers: z.record(z.string()).optional(),
		/** Cuts the connection. */
		cut: z.enum(['before-any-byte', 'mid-body']).optional(),
		/** Carries out the request before the fault applies. */
		carryOut: z.boolean().default(false),
	})
	.strict();

export type Fault = z.infer<typeof faultSchema>;
export type FaultInput = z.input<typeof faultSchema>;

interface PendingFault {
	fault: Fault;
	toPass: number;
	toHit: number;
}

/** The pending faults, first come first served. */
export class Faults {
	private pending: PendingFault[] = [];

	inject(input: FaultInput): void {
		const fault = checked(faultSchema, input, 'fault field');
		const { after: toPass, times } = fault;
		this.pending.push({ fault, toPass, toHit: times === 'always' ? Infinity : times });
	}

	clear(): void {
		this.pending = [];
	}

	/** The fault for this request, if any, which is removed from the pending ones. */
	take(method: string, path: string): Fault | undefined {
		for (const entry of this.pending) {
			const { fault } = entry;
			if ((fault.method ?? method) !== method || (fault.path ?? path) !== path) continue;
			if (entry.toPass > 0) {
				entry.toPass--;
				continue;
			}
			entry.toHit--;
			if (entry.toHit <= 0) this.pending = this.pending.filter((other) => other !== entry);
			return fault;
		}
		return undefined;
	}
}

/** Whether the fault replaces the whole response, so that the request isn't processed. */
export function stopsRequest(fault: Fault): boolean {
	return !fault.carryOut && (fault.status !== undefined || fault.cut === 'before-any-byte');
}
