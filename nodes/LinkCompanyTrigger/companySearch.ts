import { SEARCHES } from '../CompanyRegistry/collections';
import { companiesIn, idnoOf } from '../CompanyRegistry/records';
import { MAX_RESULTS } from '../CompanyRegistry/service';
import type { Variant } from '../CompanyRegistry/service';
import type { Json, Page } from '../shared/http/envelope';
import { InputError, ServiceError } from '../shared/http/errors';
import { nextPageOf } from '../shared/http/pagination';
import { isBlank } from '../shared/node/validators';
import type { PollSettings } from './event';
import type { PageReader } from './pageReader';
import { processMap } from './pollCache';
import type { RegistryClient } from './registryClient';

/** What a search asks for; the fields are named as the API names them. */
export interface SearchQuery {
	q?: string;
	caen?: string;
	region?: string;
}

/** Companies that one search can show in all its pages. */
const MAX_COMPANIES = 50_000;

/** @throws InputError when no filter is set */
export function searchQueryIn(parameter: PollSettings['parameter']): SearchQuery {
	const filters = parameter<Json>('searchFilters', {});
	const filled = ['q', 'caen', 'region'].filter((name) => !isBlank(filters[name]));
	if (filled.length === 0) {
		throw new InputError(
			'The search has no filter',
			'Add at least one of Class Code, Query and Region.',
		);
	}
	return Object.fromEntries(filled.map((name) => [name, String(filters[name]).trim()]));
}

/** @throws InputError when the credential's variant does not have such a search */
export function requireSearch(variant: Variant, query: SearchQuery): void {
	if (variant === 'v1') return;
	if (query.caen || query.region) {
		throw new InputError(
			`The filter ${query.caen ? 'Class Code' : 'Region'} exists in the V1 API only, but the credential is for the Unversioned API`,
			'Remove the filter, or select a credential whose API Variant is V1.',
		);
	}
	if (!query.q) {
		throw new InputError(
			'The Unversioned API cannot search without a query',
			'Add the filter Query, or select a credential whose API Variant is V1.',
		);
	}
}

/** One page of a search. */
export async function searchPage(
	client: RegistryClient,
	query: SearchQuery,
	page: number,
): Promise<Page> {
	const { path, query: paging } = SEARCHES[client.variant];
	// The V1 search is not documented to have pages, so the first is asked for without a number.
	const asked = { ...paging?.(page), ...(page > 1 ? { page } : {}), ...query };
	return companiesIn(await client.send({ method: 'GET', path, query: asked }));
}

/**
 * One reading of a search from its first page to its last. If the budget or the time of a poll
 * ends it, the next poll continues.
 */
export interface SearchReading {
	/** The search as JSON. */
	query: string;
	/** Where the reading began; it ends at the page before. */
	start: number;
	next: number;
	/** The last page was read, and the pages before `start` are left. */
	wrapped: boolean;
	/** IDNOs of the companies that were shown. */
	seen: Set<string>;
	/** Rows without an IDNO. */
	unreadable: number;
	total?: number;
	/** A company was shown twice, or the total changed: others may have been skipped. */
	moved: boolean;
	/** The service shows the first page only. */
	singlePage: boolean;
}

/**
 * - `complete`: every company that the search finds was shown
 * - `partial`: the service does not show all of them, however often it is asked
 * - `moved`: the results changed while they were read
 * - `unfinished`: the next poll continues
 */
export type ReadingResult = 'complete' | 'partial' | 'moved' | 'unfinished';

/** The reading of a trigger that is under way. */
const readings = processMap<SearchReading>();

/**
 * @param start the page to begin with, unless a reading of the same search is under way
 * @param restart whether to begin a reading in any case
 */
export function openReading(
	trigger: string,
	query: SearchQuery,
	start: () => number,
	restart: boolean,
): SearchReading {
	const text = JSON.stringify(query);
	const current = readings.get(trigger);
	if (current?.query === text && !restart) return current;
	const singlePage = current?.query === text && current.singlePage;
	const reading = newReading(text, singlePage ? 1 : start(), singlePage);
	readings.set(trigger, reading);
	return reading;
}

function newReading(query: string, start: number, singlePage: boolean): SearchReading {
	return {
		query,
		start,
		next: start,
		wrapped: false,
		seen: new Set(),
		unreadable: 0,
		moved: false,
		singlePage,
	};
}

/**
 * Continues a reading for as long as the budget and the poll's time allow.
 *
 * @param onCompany called once for each company
 * @throws ServiceError when no row has an IDNO
 */
export async function continueReading(
	trigger: string,
	reading: SearchReading,
	client: RegistryClient,
	reader: PageReader,
	onCompany: (record: Json, idno: string) => void,
): Promise<ReadingResult> {
	const query = JSON.parse(reading.query) as SearchQuery;
	while (client.available() >= 1) {
		const { next } = reading;
		const page = await reader.read(async () => {
			const response = searchPage(client, query, next);
			return next === 1 ? await response : await response.catch(refusedPage);
		});
		if (!page) return 'unfinished';
		const result = addPage(reading, page, onCompany);
		if (result === 'unfinished') continue;
		// The pages are the same next time, so the next reading need not find out again.
		readings.set(trigger, newReading('', 1, false));
		if (reading.singlePage) readings.set(trigger, newReading(reading.query, 1, true));
		else readings.delete(trigger);
		return result;
	}
	return 'unfinished';
}

const NO_PAGES: Page = { rows: [] };

/** The service refuses a second page: it has none. Any other failure is one. */
async function refusedPage(error: unknown): Promise<Page> {
	const refused = error instanceof ServiceError && error.failure === undefined;
	return refused ? NO_PAGES : await Promise.reject(error as Error);
}

function addPage(
	reading: SearchReading,
	page: Page,
	onCompany: (record: Json, idno: string) => void,
): ReadingResult {
	const { next: number, seen } = reading;
	const { rows, total } = page;
	const found = rows.map((row) => ({ row, idno: idnoOf(row) }));
	if (rows.length > 0 && found.every(({ idno }) => idno === undefined)) {
		throw new ServiceError('The search results of the registry do not show an IDNO', {
			failure: { cause: 'node-defect' },
		});
	}
	const before = seen.size;
	let repeated = false;
	for (const { row, idno } of found) {
		if (idno === undefined) reading.unreadable++;
		else if (seen.has(idno)) repeated = true;
		else {
			seen.add(idno);
			onCompany(row, idno);
		}
	}
	if (seen.size > MAX_COMPANIES) throw tooMany();
	const nothingNew = seen.size === before;

	if (number > 1 && nothingNew && reading.start === 1 && number === 2) reading.singlePage = true;
	else if (repeated) reading.moved = true;
	if (page !== NO_PAGES && reading.total !== undefined && total !== reading.total) {
		reading.moved = true;
	}
	if (page !== NO_PAGES) reading.total = total;

	const count = seen.size + reading.unreadable;
	const more =
		nextPageOf(page, number, MAX_RESULTS) !== undefined || (total ?? 0) > count;
	if (more && !nothingNew && !reading.singlePage) {
		reading.next = number + 1;
		if (!reading.wrapped || reading.next < reading.start) return 'unfinished';
	} else if (!reading.wrapped && reading.start > 1) {
		reading.wrapped = true;
		reading.next = 1;
		return 'unfinished';
	}
	const missing = reading.total !== undefined && reading.total > count;
	const full = reading.total === undefined && count >= MAX_RESULTS;
	if (reading.singlePage && (missing || full)) return 'partial';
	return reading.moved || missing ? 'moved' : 'complete';
}

export function tooMany(): InputError {
	return new InputError(
		`The search finds more than ${MAX_COMPANIES.toLocaleString('en')} companies`,
		'Narrow it down, e.g. by a region.',
	);
}

/** What to log about a reading that did not show every company; undefined when it did. */
export function readingWarning(
	result: ReadingResult,
	{ seen, total }: SearchReading,
): string | undefined {
	const finds = total === undefined ? `at least ${seen.size}` : String(total);
	if (result === 'partial') {
		return `the search finds ${finds} companies, but the service shows only ${seen.size} of them. Changes of the others are not noticed. Narrow the search, e.g. by a region`;
	}
	if (result === 'moved') {
		return `the results of the search moved while they were read: ${seen.size} of ${finds} companies were shown. The next poll reads them again`;
	}
	return undefined;
}
