import type { LoggedRequest, Sandbox } from '../../sandbox';

const REFUSED = 429;

/** Remembers the sandbox's requests so far; the function tells what came since, in one line. */
export function requestsFromNow(sandbox: Sandbox): (durationMs: number) => string {
	const earlier = new Set(requestsOf(sandbox));
	return (durationMs) => {
		const requests = requestsOf(sandbox).filter((request) => !earlier.has(request));
		const refused = requests.filter(({ status }) => status === REFUSED).length;
		return `${requests.length} requests, ${refused} refused, ${(durationMs / 1000).toFixed(1)} s`;
	};
}

function requestsOf({ links, registry }: Sandbox): LoggedRequest[] {
	return [links, registry.v1, registry.unversioned].flatMap(({ requests }) => requests);
}
