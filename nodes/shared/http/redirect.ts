import type { Account } from './connection';
import { sentPath, type FailureDetails, type Sent } from './failureOf';
import { FAILURES } from './failures';
import type { Headers } from './headers';

/**
 * What is said of a redirect. Whoever follows advice sends the key there, so another host is only named as the
 * target, and advised only if the provider confirms it.
 */
export function redirectDetails(
	{ location }: Headers,
	{ baseUrl }: Account,
	sent: Sent,
): FailureDetails {
	const target = String(location ?? '').replace(/[?#].*/s, '');
	const advice = `${correctionFor(target, baseUrl, sent)} ${FAILURES.redirect.advice}`;
	return { words: { to: target && ` to ${target}` }, advice };
}

function correctionFor(target: string, baseUrl: string, sent: Sent): string {
	const from = new URL(baseUrl);
	const to = URL.canParse(target, baseUrl) ? new URL(target, baseUrl) : undefined;
	const isEncrypted = to?.protocol === 'https:' || to?.protocol === from.protocol;
	if (target === '' || !to || !isEncrypted) return ELSEWHERE;
	const address = to.origin + to.pathname;
	const path = sentPath(sent);
	if (withoutWww(to) !== withoutWww(from)) {
		return to.pathname === path ? `${ELSEWHERE} ${ifMoved(to.origin)}` : ELSEWHERE;
	}
	const isWhole = address.endsWith(path);
	const base = isWhole ? address.slice(0, -path.length) : new URL(from.pathname, to).href;
	const isBase = isWhole || to.pathname === '/';
	const corrected = base.replace(/\/$/, '');
	if (sent.isTypedPath || !isBase || corrected === baseUrl) return CHECK;
	return `Enter ${corrected} as the Base URL.`;
}

const withoutWww = ({ hostname }: URL) => hostname.replace(/^www\./, '');

const ELSEWHERE =
	"Something in front of the service asks for a login, or the service has moved. Ask its administrator, and change the credential's Base URL only to an address that you know.";
const ifMoved = (origin: string) =>
	`Enter ${origin} as the Base URL only if your provider confirms that the service has moved there.`;
const CHECK =
	"Check {setting}. If it's right, something in front of the service asks for a login, or changes the address, for example by adding a slash at the end.";
