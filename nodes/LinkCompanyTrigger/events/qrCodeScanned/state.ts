import { z } from 'zod';

import type { Json } from '../../../shared/http/envelope';
import { periodSchema } from '../../forgetting';
import type { MemoryPeriod } from '../../forgetting';
import { newPass, passSchema, storedPass } from '../../listPass';
import type { ListPass } from '../../listPass';
import { deltasOf, fromDeltas, fromText, toText } from '../../numberText';
import { decodedBy } from '../../state';

/** What is remembered of one QR code. */
export interface Code {
	/** Its scan count when it was last seen. */
	scans: number;
	/** Scans since its last event, or since counting began. */
	pending: number;
	/** The current memory period has seen it. */
	seen: boolean;
}

export interface QrState {
	codes: Map<number, Code>;
	watched: 'all' | 'chosen';
	/** Codes that appear start with their current count, not with 0. */
	beginning: boolean;
	/** Complete passes of the first reading. */
	firstPasses: number;
	/** Passes in a row that showed no further code. */
	calmPasses: number;
	pass: ListPass;
	period: MemoryPeriod;
}

export function freshState(watched: QrState['watched'], beginning: boolean, now: number): QrState {
	return {
		codes: new Map(),
		watched,
		beginning,
		firstPasses: 0,
		calmPasses: 0,
		pass: newPass(1),
		period: { since: now, passes: 0 },
	};
}

export const qrStateSchema = () =>
	z.object({
		codes: decodedBy((text) => (typeof text === 'string' ? decodeCodes(text) : undefined)),
		watched: z.enum(['all', 'chosen']),
		beginning: z.boolean(),
		firstPasses: z.number().int().min(0),
		calmPasses: z.number().int().min(0),
		pass: passSchema,
		period: periodSchema,
	});

export function storedCodes({ codes, pass, ...state }: QrState): Json {
	return { ...state, codes: encodeCodes(codes), pass: storedPass(pass) };
}

const SEEN = ';';
const UNSEEN = ',';

/**
 * The codes as text, in the order of their ids: difference to the id before, scans, pending scans
 * if there are any, and whether the code was seen. About 8 bytes for a code.
 */
export function encodeCodes(codes: QrState['codes']): string {
	const sorted = [...codes].sort(([a], [b]) => a - b);
	const deltas = deltasOf(sorted.map(([id]) => id));
	return sorted
		.map(([, { scans, pending, seen }], index) => {
			const numbers = [scans, ...(pending > 0 ? [pending] : [])].map(toText);
			return [deltas[index], ...numbers].join('.') + (seen ? SEEN : UNSEEN);
		})
		.join('');
}

/** @returns undefined when the text is damaged */
export function decodeCodes(text: string): QrState['codes'] | undefined {
	const entries = text.match(/[^,;]+[,;]/g) ?? [];
	if (entries.join('') !== text) return undefined;
	const parts = entries.map((entry) => entry.slice(0, -1).split('.'));
	const ids = fromDeltas(parts.map(([delta = '']) => delta));
	if (!ids || parts.some(({ length }) => length < 2 || length > 3)) return undefined;
	const codes: QrState['codes'] = new Map();
	for (const [index, [, scansText = '', pendingText = toText(0)]] of parts.entries()) {
		const scans = fromText(scansText);
		const pending = fromText(pendingText);
		if (scans === undefined || pending === undefined) return undefined;
		codes.set(ids[index] as number, { scans, pending, seen: entries[index]!.endsWith(SEEN) });
	}
	return codes;
}
