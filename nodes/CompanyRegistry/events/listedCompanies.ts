import type { Json } from '../../shared/http/envelope';
import { ServiceError } from '../../shared/http/errors';
import type { Checks } from './budget';
import { noteAbsence, noteShown, nothingToWatch } from './companies';
import type { CompaniesPoll, Company, Watched } from './companies';
import { isMissing, isOtherPage, lookUp, noneFound } from './lookUp';
import type { ShownCompany } from './lookUp';

/** Causes that would fail every request with this credential. */
const FOR_ALL = new Set([
	'credential-invalid',
	'configuration-invalid',
	'rate-limited',
	'quota-exhausted',
]);

/**
 * Checks the companies that are due.
 *
 * @returns the events
 * @throws ServiceError if the registry can't be read. A company that can't be read is only logged.
 */
export async function pollListed(run: CompaniesPoll, idnos: readonly string[]): Promise<Json[]> {
	const { watched, state, session, checks, isFirst } = run;
	const { companies } = state;
	const due = checks.due(idnos, updateList(run, idnos), isFirst);
	const { shown, absent, problem, isDown } = await readDue(run, due);
	if (shown.length + absent.length === 0 && problem && (isDown || isFirst)) throw problem;
	if (isFirst) requireShown(watched, shown, absent, checks);

	if (shown.length > 0) state.lastShown = session.clock;
	const known = (idno: string) => companies.get(idno) as Company;
	const events = [
		...shown.map((company) => noteShown(known(company.idno), company, watched)),
		...absent.map((idno) => noteAbsence(run, idno, known(idno))),
	];
	return events.filter((event) => event !== undefined);
}

interface Found {
	shown: ShownCompany[];
	/** IDNOs that the registry doesn't have. */
	absent: string[];
	/** The first failure. */
	problem?: ServiceError;
	/** The last failure was the registry's, and not the company's. */
	isDown: boolean;
}

/** Reads the companies until the budget or the time is used up, or the registry seems to be down. */
async function readDue(
	{ plan, session, checks }: CompaniesPoll,
	due: readonly string[],
): Promise<Found> {
	const client = { ...checks, mask: session.account.mask };
	const found: Found = { shown: [], absent: [], isDown: false };
	/** Not found, but by something other than the API. */
	const unclear: string[] = [];
	for (const [index, idno] of due.entries()) {
		if (!checks.mayAsk() || (index > 0 && session.isOver())) break;
		const result = await lookUp(idno, plan, client).catch(asServiceError);
		if (result instanceof ServiceError) {
			found.problem ??= result;
			const cause = result.failure?.cause ?? '';
			found.isDown = FOR_ALL.has(cause) && !isOtherPage(result);
			if (found.isDown) break;
			found.isDown = checks.failed(idno);
			if (isMissing(result)) unclear.push(idno);
			else {
				checks.warnOnce(
					idno,
					`the company ${idno} could not be read, so the trigger tries again later: ${result.message}`,
				);
				if (found.isDown && cause !== '') break;
			}
			continue;
		}
		checks.answered(idno);
		if (result) {
			checks.warnOnce(idno);
			found.shown.push(result);
		} else found.absent.push(idno);
	}
	if (found.shown.length > 0) found.absent.push(...unclear);
	for (const idno of found.absent) {
		checks.warnOnce(
			idno,
			`the registry doesn't have the company ${idno}; check the IDNO, or remove it from the list`,
		);
	}
	return found;
}

/** @throws ServiceError if the first poll found nothing to watch */
function requireShown(
	watched: Watched,
	shown: readonly ShownCompany[],
	absent: readonly string[],
	checks: Checks,
): void {
	if (shown.length === 0) throw absent.length > 0 ? noneFound(absent) : checks.exhausted();
	const wanted = [...watched.fields, ...watched.others];
	const shows = ({ values }: ShownCompany) => wanted.some((field) => values[field] !== undefined);
	if (wanted.length > 0 && !shown.some(shows)) throw nothingToWatch(watched);
}

/** Adds and removes companies so that the state matches the list. @returns the added IDNOs */
function updateList(
	{ state, session, isFirst }: CompaniesPoll,
	idnos: readonly string[],
): string[] {
	const { companies } = state;
	const listed = new Set(idnos);
	for (const idno of companies.keys()) if (!listed.has(idno)) companies.delete(idno);
	const added = idnos.filter((idno) => !companies.has(idno));
	const emit = isFirst && session.emitExisting ? { emit: true } : {};
	for (const idno of added) companies.set(idno, { values: {}, ...emit });
	return added;
}

async function asServiceError(error: unknown): Promise<ServiceError> {
	return error instanceof ServiceError ? error : await Promise.reject(error as Error);
}
