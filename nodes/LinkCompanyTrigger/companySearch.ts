import { SEARCHES } from '../CompanyRegistry/collections';
import { companiesIn, idnoOf } from '../CompanyRegistry/records';
import { MAX_RESULTS } from '../CompanyRegistry/service';
import type { Variant } from '../CompanyRegistry/service';
import { systemClock } from '../shared/http/clock';
import type { Json, Page } from '../shared/http/envelope';
import { InputError, ServiceError } from '../shared/http/errors';
import { nextPageOf } from '../shared/http/pagination';
import { isBlank } from '../shared/node/validators';
import type { PollSettings } from './event';
import type { PageReader } from './pageReader';
import { processMap } from './pollCache';
import type { RegistryClient } from './registryClient';

/** The filters of a search, named as in the API. */
export interface SearchQuery {
	q?: string;
	caen?: string;
	region?: string;
}

/** Companies that one search can show in all its pages. */
const MAX_COMPANIES = 50_000;
const DAY_MS = 24 * 3_600_000;

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
			`The filter ${query.caen ? 'Class Code' : 'Region'} is only available in the V1 API, but the credential is for the Unversioned API`,
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
	client: Pick<RegistryClient, 'variant' | 'send'>,
	query: SearchQuery,
	page: number,
): Promise<Page> {
	const { path, query: paging } = SEARCHES[client.variant];
	// The V1 search is not documented to have pages, so the first one is requested without a number.
	const asked = { ...paging?.(page), ...(page > 1 ? { page } : {}), ...query };
	return companiesIn(await client.send({ method: 'GET', path, query: asked }));
}

/**
 * One reading of a search, page after page. If the budget or the time of a poll ends it, the next
 * poll continues.
 */
interface SearchReading {
	/** The search as JSON. */
	query: string;
	/** The page that the reading began with; it ends at the page before. */
	start: number;
	next: number;
	/** The last page was read, and the pages before `start` are left. */
	wrapped: boolean;
	/** IDNOs of the companies that were shown. */
	seen: Set<string>;
	/** Rows without an IDNO. */
	unreadable: number;
	/** Companies on all pages, as the service counts. */
	total?: number;
	/** A company was shown twice, or the total changed: others may have been skipped. */
	moved: boolean;
	/** The service shows no other page than the first. */
	singlePage: boolean;
	/** Companies that the event knew when the reading began. */
	knownBefore: number;
}

export interface SearchResult {
	/**
	 * - `complete`: every company that the search finds was shown
	 * - `partial`: the service never shows all of them
	 * - `moved`: the results changed while they were read
	 * - `unfinished`: the next poll has to continue
	 */
	kind: 'complete' | 'partial' | 'moved' | 'unfinished';
	/** IDNOs of the companies that were shown. */
	seen: ReadonlySet<string>;
	/** Companies that the search finds, as the service counts. */
	total?: number;
	/** Companies that the event knew when the reading began. */
	knownBefore: number;
}

export interface ReadingStart {
	/** Whether to drop a reading in progress. */
	fromStart: boolean;
	/** The page to begin a reading with. */
	startPage(): number;
	/** Companies that the event knows. */
	known: number;
}

/** The readings in progress, by trigger. */
const readings = processMap<SearchReading>();
/** Until when the search of a trigger counts as one that has a single page. */
const singlePages = processMap<{ query: string; until: number }>();

/**
 * Reads a search for as long as the budget and the poll's time allow.
 *
 * @param onCompany called once for each company of the reading
 * @throws ServiceError when no row has an IDNO
 */
export async function readSearch(
	trigger: string,
	query: SearchQuery,
	{ client, reader }: { client: RegistryClient; reader: PageReader },
	start: ReadingStart,
	onCompany: (record: Json, idno: string) => void,
): Promise<SearchResult> {
	const text = JSON.stringify(query);
	const current = readings.get(trigger);
	const reading =
		current?.query === text && !start.fromStart ? current : newReading(trigger, text, start);
	readings.set(trigger, reading);
	while (client.available() >= 1) {
		const { next } = reading;
		const page = await reader.read(async () => {
			const response = searchPage(client, query, next);
			// The V1 search is not documented to have pages, so it may refuse the second one.
			const optional = next > 1 && client.variant === 'v1';
			return optional ? await response.catch(refusedPage) : await response;
		});
		if (!page) break;
		const kind = addPage(reading, page, onCompany);
		if (kind === 'unfinished') continue;
		readings.delete(trigger);
		if (reading.singlePage) {
			const known = singlePages.get(trigger);
			const until = known?.query === text ? known.until : systemClock.now() + DAY_MS;
			singlePages.set(trigger, { query: text, until });
		}
		return { ...reading, kind };
	}
	return { ...reading, kind: 'unfinished' };
}

function newReading(
	trigger: string,
	query: string,
	{ startPage, known: knownBefore }: ReadingStart,
): SearchReading {
	const single = singlePages.get(trigger);
	const singlePage = single?.query === query && systemClock.now() < single.until;
	if (!singlePage) singlePages.delete(trigger);
	const start = singlePage ? 1 : startPage();
	const counts = { seen: new Set<string>(), unreadable: 0, moved: false, knownBefore };
	return { query, start, next: start, wrapped: false, singlePage, ...counts };
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
): SearchResult['kind'] {
	const { next: number, seen } = reading;
	const { rows } = page;
	const before = seen.size;
	const repeated = addRows(reading, rows, onCompany);
	const nothingNew = seen.size === before;
	if (rows.length > 0 || number === 1) {
		reading.moved ||= reading.total !== undefined && page.total !== reading.total;
		reading.total = page.total;
	}
	const count = seen.size + reading.unreadable;
	const missing = (reading.total ?? 0) > count;
	if (number === 2 && reading.start === 1 && nothingNew) {
		reading.singlePage = page === NO_PAGES || rows.length > 0 || missing;
	}
	reading.moved ||= repeated && !reading.singlePage;

	const fromStart = reading.start === 1 || reading.wrapped;
	const more = nextPageOf(page, number, MAX_RESULTS) !== undefined || (missing && fromStart);
	if (more && !nothingNew && !reading.singlePage) {
		reading.next = number + 1;
		if (!reading.wrapped || reading.next < reading.start) return 'unfinished';
	} else if (!reading.wrapped && reading.start > 1) {
		reading.wrapped = true;
		reading.next = 1;
		return 'unfinished';
	}
	const mayHideMore = missing || (reading.total === undefined && count >= MAX_RESULTS);
	if (reading.singlePage && mayHideMore) return 'partial';
	return reading.moved || missing ? 'moved' : 'complete';
}

/** @returns whether a row was shown before in this reading */
function addRows(
	reading: SearchReading,
	rows: readonly Json[],
	onCompany: (record: Json, idno: string) => void,
): boolean {
	const found = rows.map((row) => ({ row, idno: idnoOf(row) }));
	if (rows.length > 0 && found.every(({ idno }) => idno === undefined)) {
		throw new ServiceError('The search results of the registry do not show an IDNO', {
			failure: { cause: 'node-defect' },
		});
	}
	let repeated = false;
	for (const { row, idno } of found) {
		if (idno === undefined) reading.unreadable++;
		else if (reading.seen.has(idno)) repeated = true;
		else {
			reading.seen.add(idno);
			onCompany(row, idno);
		}
	}
	if (reading.seen.size > MAX_COMPANIES) throw tooMany();
	return repeated;
}

function tooMany(): InputError {
	return new InputError(
		`The search finds more than ${MAX_COMPANIES.toLocaleString('en')} companies`,
		'Narrow it down, e.g. by a region.',
	);
}

const warnings = processMap<string>();

/** Warns when a reading did not show every company; the same warning is not repeated. */
export function warnOfGaps(
	{ kind, seen, total }: SearchResult,
	{ trigger, warn }: PollSettings,
): void {
	const shown = seen.size;
	const finds = total === undefined ? `at least ${shown}` : String(total);
	const known = warnings.get(trigger) === kind;
	if (kind === 'partial' && !known) {
		warn(
			`the search finds ${finds} companies, but the registry shows only ${shown} of them; changes of the others are not noticed`,
		);
	}
	if (kind === 'moved' && !known) {
		warn(
			`the results of the search moved while they were read: ${shown} of ${finds} companies were shown; the next poll reads them again`,
		);
	}
	warnings.set(trigger, kind);
}
