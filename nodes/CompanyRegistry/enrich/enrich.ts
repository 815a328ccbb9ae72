import { CanceledError, isInvalidInput, ServiceError } from '../../shared/http/errors';
import { without, type Json } from '../../shared/http/json';
import type { ApiRequest } from '../../shared/http/request';
import { isTool } from '../../shared/node/nodeError';
import type { Operation } from '../../shared/node/operation';
import { wholeNumber } from '../../shared/node/validators';
import { callVariant, otherVariant } from '../api';
import { readShape } from '../output/shape';
import { CHECK_FAILED } from './earlier';
import { ENRICHED_ROW, outputItem, unreadItem } from './item';
import { checkKnown, companyToKeep, correctionText, missingText, withCredit } from './known';
import { findCompany, type Check } from './newMatch';
import { rowOutcome, sentences, textOf, type RowOutcome } from './outcome';
import { RunReport } from './report';
import { isEndOfRequests, RunRequests, waitingFor } from './requests';
import { isSkipped, rowOf } from './row';
import { TELLING } from './state';

/** Adds a company's data to rows. Not finding a company isn't an error, nor is running out of quota. */
export const enrich: Operation = {
	endpoints: [],
	fields: ENRICHED_ROW,
	keep: unreadItem,
	prepare(call) {
		const row = rowOf(call);
		const shape = readShape(call);
		const { maximumRequests } = call.parameter<Json>('options', {});
		const given = maximumRequests ?? 0;
		const most = wholeNumber(0)(given, 'Maximum Requests') || Infinity;
		const report = call.run.report(() => new RunReport(call));
		const place = report.add(row);
		return {
			get rank() {
				return report.rankOf(place);
			},
			async run() {
				const variant = await callVariant(call);
				if (row.addCredit && variant !== 'v1') {
					const instead = 'turn off "Add Credit Recommendation"';
					throw otherVariant('The credit recommendation', variant, instead);
				}
				const { account } = await call.connection();
				const requests = await call.memo('requests', () => new RunRequests(account, most));
				const send = async (request: ApiRequest) =>
					await call.send(request, { onAttempt: requests.spend });
				const check = { call, row, variant, requests, sender: { send } };
				const outcome = await lookUp(check);
				const item = outputItem(shape, report.comparable(row), outcome);
				report.note(row, outcome, item.registry_changed === true);
				// A model has no list to write them back to.
				return [isTool(call.context.getNode()) ? without(item, ...TELLING, 'match_input') : item];
			},
		};
	},
};

async function lookUp(check: Check): Promise<RowOutcome> {
	const { row, requests } = check;
	if (isSkipped(row)) return rowOutcome('skipped', `Checked in the last ${row.skipDays} days.`);
	try {
		const outcome = await findRow(check);
		requests.checks.note();
		return outcome;
	} catch (error) {
		return await outcomeOf(check, error);
	}
}

/** Checks a known company first. If there's none, or the row now means another company, searches anew. */
async function findRow(check: Check): Promise<RowOutcome> {
	const { row } = check;
	const known = companyToKeep(row);
	const outcome = known === undefined ? undefined : await checkKnown(check, known);
	if (outcome) return outcome;
	const found = { ...(await findCompany(check)), isSearched: true };
	return row.addCredit ? await withCredit(check, found) : found;
}

/** No failure ends the run: the row waits or has failed, and a rejected search is its result. */
async function outcomeOf({ call, row, requests }: Check, error: unknown): Promise<RowOutcome> {
	if (isEndOfRequests(error) || error instanceof CanceledError) {
		const reason = sentences(correctionText(row), `Waiting for ${waitingFor(error)}.`);
		return rowOutcome('waiting', reason, { error });
	}
	if (!(error instanceof ServiceError)) throw error;
	const reason = await textOf(call, error);
	requests.checks.note(isInvalidInput(error) ? undefined : error);
	if (isInvalidInput(error) && row.earlier.idno === undefined) {
		// One odd row must not stop a list every night.
		return rowOutcome('notFound', reason, { note: 'rejected', error });
	}
	const text = sentences(CHECK_FAILED, reason, correctionText(row), missingText(row));
	return rowOutcome('failed', text, { error });
}
