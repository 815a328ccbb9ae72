import type { Account } from './connection';
import { sentPath, type FailureDetails, type Sent } from './failureOf';
import { FAILURES } from './failures';
import type { Headers } from './headers';

/**
 * What is said of a redirect. Whoever follows advice sends the key there, so another host is only named, and
 * only if it keeps the path, as a service does that has moved.
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
	if (target === '' || !URL.canParse(target, baseUrl)) return `${FRONT} ${ASK}`;
	const [from, url] = [new URL(baseUrl), new URL(target, baseUrl)];
	const isEncrypted = url.protocol === 'https:' || url.protocol === from.protocol;
	const path = sentPath(sent).replace(/\?.*/s, '');
	const address = url.origin + url.pathname;
	if (withoutWww(url) !== withoutWww(from) || !isEncrypted) {
		const isMoved = url.protocol === 'https:' && address === url.origin + path;
		return isMoved ? `${FRONT} ${ifMoved(url.origin)}` : `${FRONT} ${ASK}`;
	}
	if (address === `${baseUrl}${path}/`) {
		return sent.isTypedPath ? 'Add a slash to the end of "Path".' : SLASH;
	}
	const isBase = !sent.isTypedPath && (address.endsWith(path) || url.pathname === '/');
	const base = (address.endsWith(path) ? address.slice(0, -path.length) : address).replace(
		/\/$/,
		'',
	);
	return isBase && base !== baseUrl ? `Enter ${base} as the Base URL.` : CHECK;
}

const withoutWww = ({ hostname }: URL) => hostname.replace(/^www\./, '');

const FRONT = 'Something in front of the service asks for a login, or the service has moved.';
const ASK =
	"Ask its administrator, and change the credential's Base URL only to an address that you know.";
const ifMoved = (origin: string) =>
	`Enter ${origin} as the Base URL only if your provider confirms that the service has moved there.`;
const SLASH =
	"A web server in front of the service adds a slash to the end of the path. Ask the service's administrator to turn that off for /api.";
const CHECK = "Check {setting}. If it's right, something in front of the service asks for a login.";
