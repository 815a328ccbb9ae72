import type { IDataObject } from 'n8n-workflow';

import type { Json } from '../../shared/http/envelope';
import { unexpectedShape, without } from '../../shared/http/envelope';
import type { OperationCall, RunOperation } from '../../shared/node/operation';
import { isBlank } from '../../shared/node/validators';
import { checkIdno } from '../idno';
import { shapeOutput } from '../outputMode';
import { wantsCheckDigit } from '../outputs';
import { idnoOf, recordIn } from '../records';
import { requireVariant } from '../service';
import type { Variant } from '../service';
import { COMPANY_FIELDS, CREDIT_FIELDS, simplify } from '../simplify';
import { companySearch, unlessUnknown } from './companySearch';
import { makeKnownCompanies } from './knownCompanies';
import { alternativesOf, notFound, outputItem, roundedScore } from './output';
import type { Outcome } from './output';
import { rowOf } from './row';
import type { Row } from './row';
import { queriesFor, searchByName } from './searchByName';
import { makeSharedSpellings } from './sharedSpellings';

/**
 * Gives a row of a CRM with the company that it means. A company that is not found is a result,
 * too; only a service that cannot be asked is an error.
 */
export const enriched: RunOperation = async (call) => {
	const row = rowOf(call);
	// Before anything is awaited: then every row knows of the others.
	call.shared(makeSharedSpellings).note(row.wanted.name);
	const searched = row.isNamed ? call.shared(makeKnownCompanies).announceNameSearch() : undefined;
	try {
		return [await enrich(call, row)];
	} finally {
		searched?.();
	}
};

async function enrich(call: OperationCall, row: Row): Promise<IDataObject> {
	const variant = await requireVariant(
		call,
		row.addCredit ? ['v1'] : ['v1', 'unversioned'],
		row.addCredit ? 'The credit recommendation' : undefined,
	);
	const outcome = await lookUp(call, row, variant);
	if (outcome.ambiguous) {
		call.hint(
			'Some rows match several companies equally well. They are marked with "ambiguous"; map "City or Region" or "Legal Form" to decide between the companies.',
			'warning',
		);
	}
	const { company } = outcome;
	const credit = company && row.addCredit ? await creditOf(call, company) : {};
	const fields = company && {
		...shapeOutput(call, { ...company, ...credit }, [...COMPANY_FIELDS, ...Object.keys(credit)]),
	};
	return outputItem(row, inputFields(call), outcome, fields);
}

function inputFields({ context }: OperationCall): IDataObject {
	const item = context.getInputData() as { json?: IDataObject } | undefined;
	return item?.json ?? {};
}

async function lookUp(call: OperationCall, row: Row, variant: Variant): Promise<Outcome> {
	const { idno, name } = row;
	if (row.isNamed) return await lookUpName(call, row, variant);
	if (isBlank(idno)) {
		if (name === '') return notFound('The row has neither an IDNO nor a name.');
		return await lookUpIdno(call, row, variant, name);
	}
	const outcome = await lookUpIdno(call, row, variant, idno);
	if (outcome.company || !row.nameAsFallback || name === '') return outcome;
	return await lookUpName(call, row, variant);
}

/** An IDNO that cannot exist is not sent. */
async function lookUpIdno(
	call: OperationCall,
	{ reuseIdentical }: Row,
	variant: Variant,
	value: unknown,
): Promise<Outcome> {
	const check = checkIdno(value, { checkDigit: wantsCheckDigit(call) });
	if (!check.valid) return notFound(check.reason);
	const known = reuseIdentical
		? await call.shared(makeKnownCompanies).find(await identityOf(call), check.idno)
		: undefined;
	const rows = known ? [known] : (await companySearch(call, variant)(check.idno, 1)).rows;
	const company = rows.find((row) => idnoOf(row) === check.idno);
	if (!company) return notFound(`No company has the IDNO ${check.idno}.`);
	return {
		company,
		matchScore: 1,
		matchedBy: 'idno',
		candidates: rows.length - 1,
		reason: null,
		ambiguous: false,
		alternatives: [],
		matchQuality: 'exact',
	};
}

async function lookUpName(call: OperationCall, row: Row, variant: Variant): Promise<Outcome> {
	const { wanted, requests, reuseIdentical } = row;
	const spelling = reuseIdentical
		? call.shared(makeSharedSpellings).bestOf(wanted.name)
		: wanted.name;
	const queries = queriesFor(spelling);
	if (queries.length === 0) return notFound('The name has neither letters nor digits.');
	const search = companySearch(call, variant);
	const identity = await identityOf(call);
	const { found, results, score, quality, reason, ambiguous, alternatives } = await searchByName(
		wanted,
		queries,
		async (query, page) => {
			const results = await search(query, page);
			call.shared(makeKnownCompanies).keep(identity, results.rows);
			return results;
		},
		requests,
	);
	return {
		company: found?.company,
		matchScore: roundedScore(score),
		matchedBy: found ? 'name' : null,
		candidates: found ? results - 1 : results,
		reason,
		ambiguous,
		alternatives: alternativesOf(alternatives),
		matchQuality: quality,
	};
}

async function identityOf(call: OperationCall): Promise<string> {
	return (await call.connection()).account.identity;
}

/** The recommendation's own fields, flat. A company without one keeps them empty. */
async function creditOf(call: OperationCall, company: Json): Promise<Json> {
	const idno = idnoOf(company);
	if (idno === undefined) throw unexpectedShape('a company with an "idno"', company);
	const body = await unlessUnknown(
		call.send({ method: 'GET', path: '/api/v1/credit/:idno', values: { idno } }),
	);
	const credit = simplify(body === undefined ? {} : recordIn(body), CREDIT_FIELDS);
	return without(credit, 'idno', 'name', 'status');
}
