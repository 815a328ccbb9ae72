import { z } from 'zod';
import type { ZodType, ZodTypeDef } from 'zod';

import type { Json } from '../../../shared/http/envelope';
import { deltasOf, fromDeltas } from '../../numberText';

export interface FoundState {
	/** IDNOs of the companies that the search has shown. */
	known: Set<string>;
	/** The search as JSON. */
	query: string;
	/** Every company that the search finds is known, so one that is not is new. */
	complete: boolean;
	/** Companies that existed at the first poll are still to be emitted. */
	emitting: boolean;
	/** Digest of the node's parameters and key at the last poll. */
	revision: string;
	/** When the reserve of the request budget was used last, in ms since the epoch. */
	reserveUsedAt?: number;
}

const IDNO_LENGTH = 13;

/** The stored form, brought to a `FoundState`. */
export function foundStateSchema(): ZodType<FoundState, ZodTypeDef, unknown> {
	return z
		.object({
			known: z.string(),
			query: z.string(),
			complete: z.boolean(),
			emitting: z.boolean(),
			revision: z.string(),
			reserveUsedAt: z.number().optional(),
		})
		.transform(({ known, ...rest }, context) => {
			const numbers = fromDeltas(known === '' ? [] : known.split(','));
			if (numbers) {
				const idnos = numbers.map((number) => String(number).padStart(IDNO_LENGTH, '0'));
				return { ...rest, known: new Set(idnos) };
			}
			context.addIssue({ code: 'custom', message: 'cannot be read' });
			return z.NEVER;
		});
}

/** About 7 bytes a company: the differences from one IDNO to the next. */
export function storedState({ known, ...rest }: FoundState): Json {
	return { ...rest, known: deltasOf([...known].map(Number).sort((a, b) => a - b)).join(',') };
}
