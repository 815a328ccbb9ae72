import {
	isDenied,
	isInvalidInput,
	isOutOfRequests,
	serviceErrorOf,
} from '../../shared/http/errors';
import type { Json } from '../../shared/http/json';
import { idnoOf } from '../company';
import { readCompanyRecord } from '../search';
import type { Check } from './newMatch';
import { sentences, textOf, type Found } from './outcome';
import { CREDIT_FAILED, CREDIT_WAITS } from './past';
import { isEndOfRequests, waitingFor } from './requests';

/** A company's recommendation, if it has one, or why it couldn't be read. */
interface CreditReading {
	record?: Json;
	reason?: string;
	/** Why it may be readable another time, unlike one that the plan lacks. */
	due?: Found['due'];
}

/** Adds a company's recommendation. */
export async function withCredit(check: Check, found: Found): Promise<Found> {
	const idno = idnoOf(found.company);
	if (idno === undefined) return found;
	const { record, reason, due } = await readRecommendation(check, idno).catch(unfinished);
	return {
		...found,
		company: { ...record, ...found.company },
		recommendation: record,
		reason: sentences(reason, found.reason),
		due,
	};
}

/** The search has been paid for, so its result counts although the quota has ended. */
function unfinished(error: unknown): CreditReading {
	if (!isEndOfRequests(error)) throw error;
	return { reason: `${CREDIT_WAITS} ${waitingFor(error)}.`, due: 'credit' };
}

/** Reads a recommendation. After three failures in a row, the run asks for no more of them. */
export async function readRecommendation(check: Check, idno: string): Promise<CreditReading> {
	const { requests, sender, call } = check;
	const { outage } = requests.credits;
	// A run sends the same request once, so a row can ask twice.
	const read = outage ? Promise.reject(outage) : readCompanyRecord(sender, 'credit', idno);
	return await read.then(
		(record) => {
			requests.credits.note();
			return { record };
		},
		async (error: unknown) => {
			// The API doesn't document how it says that an existing company has no recommendation.
			if (isInvalidInput(error)) return {};
			if (isOutOfRequests(error)) throw error;
			const failure = serviceErrorOf(error);
			requests.credits.note(failure);
			const text = await textOf(call, failure);
			if (isDenied(failure)) return { reason: `Credit recommendations aren't available: ${text}` };
			return { reason: `${CREDIT_FAILED} ${text}`, due: 'failed' };
		},
	);
}
