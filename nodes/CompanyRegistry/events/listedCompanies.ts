import { ServiceError } from '../../shared/http/errors';
import { noteAbsence, noteShown, nothingToWatch } from './companies';
import type { CompaniesPoll, Company } from './companies';
import { isMissing, isOtherPage, lookUp, noneFound } from './lookUp';

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
 * @throws ServiceError if the registry can't be read. A company that can't be read is only logged.
 */
export async function pollListed(run: CompaniesPoll, idnos: readonly string[]): Promise<void> {
	const { watched, plan, state, session, checks, isFirst, emit } = run;
	const { companies } = state;
	const client = { ...checks, mask: session.account.mask };
	const due = checks.due(idnos, updateList(run, idnos), isFirst);
	const absent: string[] = [];
	const unclear: string[] = [];
	let problem: ServiceError | undefined;
	let isDown = false;
	let read = 0;
	let showsNothing = true;
	for (const [index, idno] of due.entries()) {
		if (!checks.mayAsk() || (index > 0 && session.isOver())) break;
		const result = await lookUp(idno, plan, client).catch(asServiceError);
		if (result instanceof ServiceError) {
			problem ??= result;
			const cause = result.failure?.cause ?? '';
			isDown = FOR_ALL.has(cause) && !isOtherPage(result);
			if (isDown) break;
			isDown = checks.failed(idno);
			if (isMissing(result)) unclear.push(idno);
			else {
				checks.warnOnce(
					idno,
					`the company ${idno} could not be read, so the trigger tries again later: ${result.message}`,
				);
				if (isDown && cause !== '') break;
			}
			continue;
		}
		checks.answered(idno);
		if (!result) {
			absent.push(idno);
			continue;
		}
		read++;
		state.lastShown = session.clock;
		checks.warnOnce(idno);
		const shows = (field: string) => result.values[field] !== undefined;
		showsNothing &&= ![...watched.fields, ...watched.others].some(shows);
		emit(noteShown(companies.get(idno) as Company, result, watched));
	}
	if (read > 0) absent.push(...unclear);
	for (const idno of absent) {
		checks.warnOnce(
			idno,
			`the registry doesn't have the company ${idno}; check the IDNO, or remove it from the list`,
		);
		noteAbsence(run, idno, companies.get(idno) as Company);
	}

	if (read + absent.length === 0 && problem && (isDown || isFirst)) throw problem;
	if (!isFirst) return;
	if (read === 0) throw absent.length > 0 ? noneFound(absent) : checks.exhausted();
	const isWatching = watched.fields.length + watched.others.length > 0;
	if (showsNothing && isWatching) throw nothingToWatch(watched);
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
