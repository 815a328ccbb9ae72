import type { Json } from '../../shared/http/envelope';
import { unexpectedShape } from '../../shared/http/envelope';
import { InputError, ServiceError } from '../../shared/http/errors';
import type { OperationCall } from '../../shared/node/operation';
import { compare, wantedCompany } from '../names/compare';
import type { WantedCompany } from '../names/compare';
import { candidateOf } from '../names/decide';
import { MAY_HIDE_ANOTHER, queriesFor } from '../names/search';
import { checkIdno } from '../idno';
import { idnoOf, inWords, readCompany } from '../company';
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
	const check = checkIdno(name, { checkDigit: false });
	if (check.valid) return check.idno;
	const { exact, isCutOff } = await search(call, name);
	const byIdno = new Map(exact.map((row) => [idnoOf(row) ?? row, row]));
	const [company, ...others] = byIdno.values();
	if (!company) {
		throw new ServiceError(`No company is named exactly "${name}"`, {
			description: isCutOff
				? 'The search has more results than the V1 API returns. Enter the whole name as it appears in the registry, or the IDNO.'
				: 'Check the spelling. To find similar names, use Company: Search, or Company: Enrich with "Minimum Match" set to Likely.',
			httpCode: '404',
		});
	}
	if (others.length > 0) throw severalCompanies(name, [company, ...others]);
	if (isCutOff) call.notice(MAY_HIDE_ANOTHER, 'warning');
	const idno = idnoOf(company);
	if (idno === undefined) throw unexpectedShape('a company with an "idno"', company);
	return idno;
}

/** Only the name as it's written, without the readings that leave something out. */
function asWritten(name: string): WantedCompany {
	const wanted = wantedCompany(name);
	return { ...wanted, readings: wanted.readings.slice(0, 1) };
}

/** Searches for the whole name, then for its rarest word, in case the service accepts only one word. */
async function search(
	call: OperationCall,
	name: string,
): Promise<{ exact: Json[]; isCutOff: boolean }> {
	const wanted = asWritten(name);
	const [whole, ...parts] = queriesFor(wanted);
	if (whole === undefined) {
		throw new InputError(
			`The company name "${name}" contains only punctuation or contact details`,
			"Enter the company's name as it appears in the registry.",
		);
	}
	// Operations that take a name exist only in the V1 API, whose search has one page.
	const send = searchByText(call, 'v1');
	const isExact = (row: Json) => {
		const candidate = candidateOf(row);
		return candidate && compare(wanted, candidate, () => false).quality === 'exact';
	};
	const found = await send(whole, 1);
	const word = parts.find((part) => whole.split(' ').includes(part));
	const { rows, more } =
		found.rows.length === 0 && word !== undefined ? await send(word, 1) : found;
	return { exact: rows.filter(isExact), isCutOff: more !== 'none' };
}

function severalCompanies(name: string, companies: Json[]): ServiceError {
	const listed = companies.slice(0, MOST_LISTED).map((company) => {
		const { idno, name, city, status } = readCompany(company);
		const details = [idno, city, inWords(status)].filter((each) => each !== undefined);
		return `${name} (${details.join(', ')})`;
	});
	const more = companies.length > MOST_LISTED ? '; …' : '';
	return new ServiceError(
		`${companies.length} companies have the name "${name}": ${listed.join('; ')}${more}`,
		{ description: 'Select "By IDNO" and enter one of these IDNOs.' },
	);
}
