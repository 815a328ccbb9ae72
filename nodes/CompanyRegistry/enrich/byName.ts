import { unexpectedShape } from '../../shared/http/envelope';
import { InputError, ServiceError } from '../../shared/http/errors';
import type { OperationCall } from '../../shared/node/operation';
import { idnoOf, inWords, readCompany } from '../company';
import { readIdno } from '../idno';
import { LEAST_SCORE, wantedCompany } from '../names/compare';
import type { Candidate } from '../names/decide';
import { applyMinimum, hasName, MAY_HIDE_ANOTHER, searchByName } from '../names/search';
import { searchByText } from '../search';

/** How many companies of the same name an error lists. */
const MOST_LISTED = 10;

/**
 * The IDNO of the only company with a name. Case, diacritics, punctuation and the spelling of the legal
 * form may differ, and a missing legal form matches any. Thirteen digits are an IDNO already, so they're
 * returned as they are.
 *
 * @throws ServiceError when no company or several companies have the name
 */
export async function idnoOfName(call: OperationCall, name: string): Promise<string> {
	const given = readIdno(name);
	if (given !== undefined) return given;
	const wanted = wantedCompany(name);
	if (!hasName(wanted)) {
		throw new InputError(
			`The company name "${name}" contains only punctuation or contact details`,
			"Enter the company's name as it appears in the registry.",
		);
	}
	// Only the name as it's written, without the readings that leave something out.
	const asWritten = { ...wanted, readings: wanted.readings.slice(0, 1) };
	// Operations that take a name exist only in the V1 API.
	const result = await searchByName(asWritten, searchByText(call, 'v1'));
	const { found, ambiguous, alternatives, isCutOff } = applyMinimum(result, LEAST_SCORE.exact);
	if (ambiguous) throw severalCompanies(name, alternatives);
	if (!found) {
		throw new ServiceError(`No company is named exactly "${name}"`, {
			description: isCutOff
				? 'The search has more results than the V1 API returns. Enter the whole name as it appears in the registry, or the IDNO.'
				: 'Check the spelling. To find similar names, use Company: Search, or Company: Enrich with "Minimum Match" set to Likely.',
			httpCode: '404',
		});
	}
	if (isCutOff) call.notice(MAY_HIDE_ANOTHER, 'warning');
	const idno = idnoOf(found.company);
	if (idno === undefined) throw unexpectedShape('a company with an "idno"', found.company);
	return idno;
}

function severalCompanies(name: string, companies: readonly Candidate[]): ServiceError {
	const listed = companies.slice(0, MOST_LISTED).map(({ company, title }) => {
		const { idno, city, status } = readCompany(company);
		const details = [idno, city, inWords(status)].filter((each) => each !== undefined);
		return `${title} (${details.join(', ')})`;
	});
	const more = companies.length > MOST_LISTED ? '; …' : '';
	return new ServiceError(
		`${companies.length} companies have the name "${name}": ${listed.join('; ')}${more}`,
		{ description: 'Select "By IDNO" and enter one of these IDNOs.' },
	);
}
