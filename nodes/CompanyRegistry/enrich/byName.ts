import { unexpectedShape } from '../../shared/http/envelope';
import { ServiceError } from '../../shared/http/errors';
import type { Call } from '../../shared/node/call';
import { idnoWithin } from '../idno';
import { LEAST_SCORE, wantedCompany } from '../names/compare';
import { applyMinimum, MAY_HIDE_ANOTHER, searchByName } from '../names/search';
import { searchByText } from '../search';
import { alternativesOf } from './outcome';

/**
 * The IDNO of the only company with a name. Case, diacritics, punctuation and the spelling of the legal
 * form may differ, and a missing legal form matches any. An IDNO beside the name identifies the company by itself.
 *
 * @throws ServiceError when no company or several companies have the name
 */
export async function idnoOfName(call: Call, name: string): Promise<string> {
	const given = idnoWithin(name);
	if (given !== undefined) return given;
	// Operations that take a name exist only in the V1 API.
	const searched = await searchByName(wantedCompany(name), searchByText(call, 'v1'));
	const result = applyMinimum(searched, LEAST_SCORE.exact);
	const { found, ambiguous, alternatives, reason, isCutOff } = result;
	if (ambiguous) {
		const companies = alternativesOf(alternatives).replaceAll('\n', '; ');
		throw new ServiceError(
			`${alternatives.length} companies have the name "${name}": ${companies}`,
			{ description: 'Enter one of these IDNOs instead of the name.' },
		);
	}
	if (!found) {
		const about = isCutOff ? 'was found that is named exactly' : 'is named exactly';
		throw new ServiceError(`No company ${about} "${name}"`, {
			description: `${reason} Enter the full name or the IDNO. To see similar names, use Company: Search.`,
			kind: 'notFound',
		});
	}
	if (isCutOff) call.run.notice(MAY_HIDE_ANOTHER, 'warning');
	if (found.idno === undefined) throw unexpectedShape('a company with an "idno"', found.company);
	return found.idno;
}
