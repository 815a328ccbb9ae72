import type { Json } from '../../shared/http/envelope';
import { newLap, newReading, readLap } from '../../shared/poll/lap';
import type { SearchQuery } from '../companySearch';
import { noteAbsence, noteShown, nothingToWatch } from './companies';
import type { CompaniesPoll } from './companies';
import { shownCompany } from './lookUp';
import { watchedSearch } from './search';

/**
 * Compares the companies of a search, for as many pages as the poll may read.
 *
 * @throws ServiceError, InputError
 */
export async function pollSearched(run: CompaniesPoll, query: SearchQuery): Promise<void> {
	const { watched, state, session, checks, isFirst, emit } = run;
	const { companies } = state;
	const list = watchedSearch(checks, query, state.reading?.scope);
	const isSame = state.reading?.scope === list.scope;
	if (!isSame) for (const known of companies.values()) known.unconfirmed = true;
	const reading = (isSame && state.reading) || newReading(session, list.scope);
	reading.emitting &&= isFirst || isSame;
	state.reading = reading;
	let showsStatus = false;
	const note = (row: Json, idno: string) => {
		const shown = shownCompany(row, idno);
		showsStatus ||= shown.values.status !== undefined;
		const known = companies.get(idno);
		const one = known ?? { values: {}, ...(reading.emitting ? { emit: true } : {}) };
		companies.set(idno, one);
		emit(idno, noteShown(one, shown, watched));
		return known === undefined;
	};
	const end = await readLap(reading.lap, list, session, note);
	if (isFirst && !session.failure) {
		if (!session.hasRead) throw checks.exhausted();
		if (companies.size > 0 && !showsStatus) throw nothingToWatch(watched);
	}
	if (!end) return;
	list.check?.(reading.lap, end, false);
	const { keys } = reading.lap;
	Object.assign(reading, { lap: newLap(), emitting: false });
	// An empty page is more often a fault than the end of all companies.
	if (end !== 'counted' || keys.size === 0) return;
	for (const [idno, one] of companies) {
		if (keys.has(idno)) continue;
		if (one.unconfirmed || noteAbsence(run, idno, one)) companies.delete(idno);
	}
}
