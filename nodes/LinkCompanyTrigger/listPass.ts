import { z } from 'zod';

import type { Json, Page } from '../shared/http/envelope';
import { nextPageOf, PAGE_SIZE } from '../shared/http/pagination';
import { idsFromText, idsToText } from './numberText';
import { digestOf } from './digest';
import { decodedBy } from './state';

/** Progress of reading a list page by page, over as many polls as it takes. */
export interface ListPass {
	/** Page to read next. */
	page: number;
	/** Pages read that had rows. */
	pages: number;
	/** Pages in a row that showed nothing new. */
	stale: number;
	/** Ids that this pass has shown. */
	ids: Set<number>;
	/** An id came twice, so another row may be missing. */
	unsure: boolean;
	/** The pass ended with an empty page. */
	short: boolean;
	/** Digest of the ids of the pass before, unless that one was unsure. */
	before?: string;
	/** Passes before this one that agreed with the one before them. */
	agreed: number;
}

/** A service that ignores `page` would show its first page for ever. */
const STALE_PAGES = 2;
/** An empty page can be a fault of the service, so more passes must agree on it. */
const AGREEING_SHORT_PASSES = 4;

export function newPass(page: number, { before, agreed = 0 }: Partial<ListPass> = {}): ListPass {
	return { page, pages: 0, stale: 0, ids: new Set(), unsure: false, short: false, before, agreed };
}

/** Adds a page to a pass. */
export function notePage(pass: ListPass, page: Page): void {
	const known = pass.ids.size;
	for (const { id } of page.rows) pass.ids.add(Number(id));
	const fresh = pass.ids.size - known;
	if (fresh < page.rows.length) pass.unsure = true;
	if (page.rows.length === 0) pass.short = true;
	pass.stale = fresh === 0 ? pass.stale + 1 : 0;
	if (page.rows.length > 0) pass.pages++;
}

/** The page after the one that was read, unless the list ends there or repeats itself. */
export function pageAfter({ page: number, stale }: ListPass, page: Page): number | undefined {
	if (stale >= STALE_PAGES) return undefined;
	// Without counters, a page that is not full may be one of a service that gives less than asked.
	const mayContinue = !hasCounters(page) && page.rows.length > 0;
	return nextPageOf(page, number, PAGE_SIZE) ?? (mayContinue ? number + 1 : undefined);
}

function hasCounters({ nextPage, lastPage }: Page): boolean {
	return nextPage !== undefined || lastPage !== undefined;
}

/**
 * Whether a finished pass has certainly shown every row that was there all the time. Rows that
 * come, go or change places between two requests can hide one, but then the pass shows an id
 * twice or differs from the pass before. A list on one page is seen in one moment.
 */
export function isProven(pass: ListPass): boolean {
	if (pass.unsure) return false;
	const agreed = agreedAfter(pass);
	return pass.short ? agreed >= AGREEING_SHORT_PASSES : pass.pages === 1 || agreed > 0;
}

/** The pass that follows a finished one. */
export function nextPass(pass: ListPass, page: number): ListPass {
	const before = pass.unsure ? undefined : digestOf(idsToText(pass.ids));
	const agreed = Math.min(AGREEING_SHORT_PASSES, agreedAfter(pass));
	return newPass(page, { before, agreed });
}

function agreedAfter({ ids, before, agreed }: ListPass): number {
	return digestOf(idsToText(ids)) === before ? agreed + 1 : 0;
}

/** Even where rows change places all the time, hardly any can hide from so many passes. */
const CALM_PASSES = 16;

/** @param passes in a row that showed nothing that was not known */
export function isCalm(passes: number): boolean {
	return passes > CALM_PASSES;
}

const MAX_PAGE = 1_000_000;
export const pageNumber = z.number().int().min(1).max(MAX_PAGE);

export const passSchema = z.object({
	page: pageNumber,
	pages: z.number().int().min(0),
	stale: z.number().int().min(0),
	ids: decodedBy(idsFromText).transform((ids) => new Set(ids)),
	unsure: z.boolean(),
	short: z.boolean(),
	before: z.string().optional(),
	agreed: z.number().int().min(0),
});

export function storedPass(pass: ListPass): Json {
	return { ...pass, ids: idsToText(pass.ids) };
}
