import { z } from 'zod';

import type { Json } from '../../../shared/http/envelope';
import { periodSchema } from '../../forgetting';
import type { MemoryPeriod } from '../../forgetting';
import { newPass, pageNumber, passSchema, storedPass } from '../../listPass';
import type { ListPass } from '../../listPass';
import { idsFromText, idsToText } from '../../numberText';
import { decodedBy } from '../../state';
import { noOrder, orderSchema } from './listOrder';
import type { ListOrder } from './listOrder';

/** What is remembered of the file list: in an ordered one, a few numbers for any length. */
export interface FileState {
	/** Where new files are: at the beginning of the list, at its end, or anywhere. */
	newest: 'first' | 'last' | 'anywhere';
	/** All files with this id or a lower one are known. -1 if there is no such id. */
	floor: number;
	/** The latest date of these. */
	floorDate?: string;
	/** Other known files, and whether the current memory period has seen each. */
	known: Map<number, boolean>;
	/** Files of the first reading are remembered; after that, new ones are emitted. */
	beginning: boolean;
	/** Complete passes of the first reading. */
	firstPasses: number;
	/** The list's end, if the newest files are last. */
	lastPage: number;
	/** Rows in the list, as the service last reported; null if that was wrong. */
	total?: number | null;
	pass: ListPass;
	/** Order of the rows of the pass, and the latest date among them. */
	order: ListOrder;
	/** The same by ids alone. */
	idOrder: ListOrder;
	latest?: string;
	/** Passes in a row that showed no further file up to `top`. */
	calm?: { top: number; date?: string; passes: number };
	period: MemoryPeriod;
}

export function freshState(beginning: boolean, now: number): FileState {
	return {
		newest: 'anywhere',
		floor: -1,
		known: new Map(),
		beginning,
		firstPasses: 0,
		lastPage: 1,
		pass: newPass(1),
		order: noOrder(),
		idOrder: noOrder(),
		period: { since: now, passes: 0 },
	};
}

const ids = () => decodedBy(idsFromText);
const count = () => z.number().int().min(0);
const id = () => z.number().int().min(-1);

export const fileStateSchema = () =>
	z
		.object({
			newest: z.enum(['first', 'last', 'anywhere']),
			floor: id(),
			floorDate: z.string().optional(),
			seen: ids(),
			unseen: ids(),
			beginning: z.boolean(),
			firstPasses: count(),
			lastPage: pageNumber,
			total: count().nullish(),
			pass: passSchema,
			order: orderSchema,
			idOrder: orderSchema,
			latest: z.string().optional(),
			calm: z.object({ top: id(), date: z.string().optional(), passes: count() }).optional(),
			period: periodSchema,
		})
		.transform(({ seen, unseen, ...state }): FileState => ({
			...state,
			known: new Map([
				...unseen.map((file) => [file, false] as const),
				...seen.map((file) => [file, true] as const),
			]),
		}));

export function storedFiles({ known, pass, ...state }: FileState): Json {
	const idsWith = (seen: boolean) =>
		idsToText([...known].filter(([, is]) => is === seen).map(([file]) => file));
	return { ...state, seen: idsWith(true), unseen: idsWith(false), pass: storedPass(pass) };
}
