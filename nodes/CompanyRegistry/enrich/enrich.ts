import { CanceledError, isInvalidInput, ServiceError } from '../../shared/http/errors';
import { without, type Json } from '../../shared/http/json';
import type { ApiRequest } from '../../shared/http/request';
import type { Call } from '../../shared/node/call';
import type { Operation } from '../../shared/node/operation';
import { readCount } from '../../shared/node/validators';
import { callVariant, otherVariant } from '../api';
import { readShape, type Shape } from '../output/shape';
import { CHECK_FAILED } from './earlier';
import { ENRICHED_ROW, outputItem, unreadItem } from './item';
import { checkKnown, companyToKeep, correctionText, missingText, withCredit } from './known';
import { findCompany, type Check } from './newMatch';
import { rowOutcome, sentences, textOf, type RowOutcome } from './outcome';
import { RunReport } from './report';
import { isEndOfRequests, RunRequests, waitingFor } from './requests';
import { isSkipped, rowOf, type Row } from './row';
import { TELLING } from './state';

/** A row of the input, with what it takes to check it and to output it. */
interface RowCall {
	call: Call;
	row: Row;
	shape: Shape;
	/** The option *Maximum Requests*. */
	most: number;
}

/** Adds a company's data to rows. Not finding a company isn't an error, nor is running out of quota. */
export const enrich: Operation<RowCall> = {
	endpoints: [],
	fields: ENRICHED_ROW,
	keep: unreadItem,
	prepare(call) {
		const { maximumRequests } = call.parameter<Json>('options', {});
		const most = readCount(maximumRequests, 'Maximum Requests') || Infinity;
		return { call, row: rowOf(call), shape: readShape(call), most };
	},
	open(items, run) {
		const report = new RunReport(items, run);
		return {
			order: report.order,
			async execute(item) {
				const { call, row, shape } = item;
				const outcome = await lookUp(await checkOf(item));
				const output = outputItem(shape, report.comparable(row), outcome);
				report.note(row, outcome, output.registry_changed === true);
				// A model has no list to write them back to.
				return { records: [call.run.isTool ? without(output, ...TELLING, 'match_input') : output] };
			},
			end: () => report.end(),
		};
	},
};

async function checkOf({ call, row, most }: RowCall): Promise<Check> {
	const variant = await callVariant(call);
	if (row.addCredit && variant !== 'v1') {
		const instead = 'turn off "Add Credit Recommendation"';
		throw otherVariant('The credit recommendation', variant, instead);
	}
	const connection = await call.connection();
	const requests = await call.memo('requests', () => new RunRequests(connection, most));
	const send = async (request: ApiRequest) => await call.send(request, { before: requests.spend });
	return { call, row, variant, requests, sender: { send } };
}

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
