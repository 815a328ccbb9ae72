import { CanceledError, isInvalidInput, ServiceError } from '../../shared/http/errors';
import { without } from '../../shared/http/json';
import type { ApiRequest } from '../../shared/http/request';
import type { Call } from '../../shared/node/call';
import type { Operation } from '../../shared/node/operation';
import { callVariant, otherVariant } from '../api';
import { readShape, type Shape } from '../output/shape';
import { withCredit } from './credit';
import { ENRICHED_ROW, outputItem, unreadItem } from './item';
import { checkChosen, checkKnown, correctionText, isKnown, missingText } from './known';
import { findCompany, type Check } from './newMatch';
import { sentences, textOf, unclearText, type NotChecked, type RowOutcome } from './outcome';
import { TELLING } from './ownColumns';
import { CHECK_FAILED } from './past';
import { RunReport } from './report';
import { isEndOfRequests, RunRequests, waitingFor } from './requests';
import { isSkipped, readRow, rowsOf, typedText, type RowReading } from './row';

interface RowCall {
	call: Call;
	reading: RowReading;
	shape: Shape;
}

/** Ten rows at once may use them up without finishing any. */
const FEW_REQUESTS = 50;

/** Adds a company's data to rows. Not finding a company isn't an error, nor is running out of quota. */
export const enrich: Operation<RowCall> = {
	endpoints: [],
	fields: ENRICHED_ROW,
	keep: unreadItem,
	keepsFiles: true,
	prepare: (call) => ({ call, reading: readRow(call), shape: readShape(call) }),
	open(items, run) {
		const all = rowsOf(items.map(({ reading }) => reading));
		const rows = new Map(items.map((item, place) => [item, all[place]!]));
		const typed = items.length > 1 ? typedText(items[0]!.call) : undefined;
		const report = new RunReport(all, items[0]!.call, run);
		const { maximumRequests } = items[0]!.reading.settings;
		return {
			isScarce: () => maximumRequests - run.requestsSent < FEW_REQUESTS,
			order: report.order,
			async execute(item) {
				const row = rows.get(item)!;
				const { call, shape } = item;
				const reason = notLookedUp(row, typed);
				const outcome: RowOutcome = reason
					? { result: 'notLookedUp', reason }
					: await lookUp({ call, row, ...(await connected(item)) });
				const output = outputItem(shape, row, outcome);
				report.note(row, outcome, output.registry_changed === true);
				// A model has no list to write them back to.
				return { records: [run.isTool ? without(output, ...TELLING, 'match_input') : output] };
			},
			end: () => report.end(typed),
		};
	},
};

async function connected({ call, reading }: RowCall): Promise<Omit<Check, 'call' | 'row'>> {
	const variant = await callVariant(call);
	const { addCredit, maximumRequests } = reading.settings;
	if (addCredit && variant !== 'v1') {
		const instead = 'turn off "Add Recommendation"';
		throw otherVariant('The credit recommendation', variant, instead);
	}
	const connection = await call.connection();
	const requests = await call.memo('requests', () => new RunRequests(connection, maximumRequests));
	const send = async (request: ApiRequest) => await call.send(request, { before: requests.spend });
	return { variant, requests, sender: { send } };
}

/** Why there's nothing to look up; empty if there is. */
function notLookedUp(row: RowReading, typed: string | undefined): string {
	if (typed !== undefined) return `"${typed}" was typed for all rows, so none was looked up.`;
	if (row.parties.length > 0) return unclearText(row.parties);
	const isBlank = row.idno === '' && row.name === '';
	return isBlank ? 'The node found neither an IDNO nor a name in the row.' : '';
}

async function lookUp(check: Check): Promise<RowOutcome> {
	const { row, requests } = check;
	if (isSkipped(row)) {
		const days = row.settings.skipDays === 1 ? 'day' : `${row.settings.skipDays} days`;
		return { result: 'skipped', reason: `Skipped, because it was checked in the last ${days}.` };
	}
	try {
		const outcome = await findRow(check);
		requests.checks.note();
		return outcome;
	} catch (error) {
		return await outcomeOf(check, error);
	}
}

/** A person's choice comes first, unless the row contradicts it, then the company that an earlier run has found. */
async function findRow(check: Check): Promise<RowOutcome> {
	const { found, refused, why } = await checkChosen(check);
	// Nothing else is awaited, so rows ask for their first requests in the order in which they start.
	const kept = found ?? (isKnown(check.row) ? await checkKnown(check) : undefined);
	const outcome = kept ?? (await findCompany(check));
	const lacksCredit = check.row.settings.addCredit && outcome.result === 'found';
	const full = lacksCredit && !outcome.isUnsearched ? await withCredit(check, outcome) : outcome;
	if (why === undefined) return full;
	const told = `The IDNO ${check.row.past.chosen} in registry_idno was ignored, because ${why}.`;
	return { ...full, refused, reason: sentences(told, full.reason) };
}

/** No failure ends the run: the row waits or has failed, and a rejected search is its result. */
async function outcomeOf({ call, row, requests }: Check, error: unknown): Promise<RowOutcome> {
	const [correction, missing] = [correctionText(row), missingText(row.past.missingSince)];
	if (isEndOfRequests(error) || error instanceof CanceledError) {
		const reason = sentences(correction, missing, `Waiting for ${waitingFor(error)}.`);
		return { result: 'waiting', reason, error };
	}
	if (!(error instanceof ServiceError)) throw error;
	const reason = await textOf(call, error);
	requests.checks.note(isInvalidInput(error) ? undefined : error);
	if (isInvalidInput(error) && (row.past.idno ?? row.past.chosen) === undefined) {
		// One odd row must not stop a list every night.
		return { result: 'notFound', reason, rejection: error };
	}
	const text = sentences(CHECK_FAILED, reason, correction, missing);
	return { result: 'failed', reason: text, error } satisfies NotChecked;
}
