import type { Failure } from 'n8n-workflow';

export type FailureTexts = readonly [
	message: string,
	advice: string,
	cause?: Failure['cause'],
	/** Whether the service has carried out the request. By default, it said that it hasn't, or it's open. */
	outcome?: 'unknown' | 'none',
];

const KEY = 'credential-invalid';
const SETUP = 'configuration-invalid';
export const TEMPORARY = 'temporarily-unavailable';
const DEFECT = 'node-defect';

const UNCONFIRMED =
	"The service returned {got} (HTTP {status}), which doesn't confirm that the request succeeded. {again} If this keeps happening, check the credential's Base URL, or contact the service's administrator.";
const REJECTED = [
	'{service} rejected the request (HTTP {status})',
	'Check the parameters.',
] as const;
const BROKEN = ['{service} returned a server error (HTTP {status})', '{again}', TEMPORARY] as const;
const ELSEWHERE = [
	'There is no {service} API at {address}',
	"Check {setting}. The Base URL is the service's URL without /api, e.g. https://example.com.",
	SETUP,
] as const;
const UNREACHABLE = "{service} couldn't be reached at {baseUrl}";
const DOWN = [UNREACHABLE, 'It may be down, or the Base URL is wrong. {again}', TEMPORARY] as const;

/**
 * What can go wrong: what happened, what to do next, and the cause in n8n's terms, which n8n's scheduler
 * uses to decide when to poll again. `{again}` advises to try again. Without a cause, the service has
 * answered, and the error is only about this request.
 */
export const FAILURES = {
	rejected: REJECTED,
	notFound: REJECTED,
	/** In words for an unknown address, such as "Not Found". It can be a record all the same. */
	noSuchPage: REJECTED,
	tooLarge: [
		'The request is too large for {service} (HTTP 413)',
		'Send a smaller file or less data. If a web server in front of the service sets the limit, its administrator can raise it.',
	],
	denied: [
		'{service} denied access (HTTP 403)',
		'Check that your key and plan allow this operation.',
	],
	key: [
		"{service} didn't accept the API key",
		'Check the API Key in the {service} credential, and its {fields}.',
		KEY,
	],
	rateLimit: [
		"You've reached the rate limit of the {service} API key",
		'Try again {when}.',
		'rate-limited',
	],
	quota: [
		"You've used up the quota of the {service} API key",
		'Requests fail until the quota resets{resets}',
		'quota-exhausted',
	],
	server: BROKEN,
	/** A 503: the service has done nothing, and may work again in a moment. */
	unavailable: BROKEN,
	/** From a server in front of the service, which didn't respond to it. */
	gateway: [...BROKEN, 'unknown'],
	blocked: [
		'A web page came back instead of a response from {service} (HTTP {status})',
		"It comes from something in front of the service, such as a firewall, a bot check or a login page. Ask the service's administrator to let requests to {baseUrl}/api through. {again}",
		TEMPORARY,
		'none',
	],
	address: ELSEWHERE,
	/** A web page instead of a success. */
	webPage: [...ELSEWHERE, 'unknown'],
	redirect: [
		'{address} redirects{to}',
		"{correction} The node doesn't follow redirects, so the key is never sent to another host.",
		SETUP,
	],
	unreadable: [
		"{service} returned a response that can't be read",
		UNCONFIRMED,
		TEMPORARY,
		'unknown',
	],
	unconfirmed: ["{service} didn't confirm the request", UNCONFIRMED, TEMPORARY, 'unknown'],
	/** The caller says what was expected. */
	shape: ['', '', DEFECT],
	noSuchHost: [UNREACHABLE, 'No server has this name. Check the Base URL for a typo.', SETUP],
	certificate: [
		UNREACHABLE,
		`The server's certificate isn't valid. Ask its administrator, or turn on "Ignore SSL Issues (Insecure)" in the credential if you trust the server anyway.`,
		SETUP,
	],
	timeout: [UNREACHABLE, "The service didn't respond in time. {again}", TEMPORARY, 'unknown'],
	unconnected: [...DOWN, 'none'],
	/** The connection broke, maybe after the service had received the request. */
	connection: [...DOWN, 'unknown'],
	notSent: [
		'Nothing was sent',
		'Check the {service} credential and the "Request Options" of the node.',
		SETUP,
	],
} satisfies Record<string, FailureTexts>;

export type FailureKind = keyof typeof FAILURES;
