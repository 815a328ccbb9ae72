import type { Failure } from 'n8n-workflow';

/** What follows from a failure, and what is said about it. */
export interface FailureTexts {
	/** Whether the service can have carried it out. `open`: it has answered that it failed, maybe halfway. */
	carriedOut: 'no' | 'open' | 'maybe';
	/** Whether the same request may work in a moment. */
	passesSoon?: boolean;
	/** n8n's scheduler decides by it when to poll again. Undefined if it's only about this request. */
	cause: Failure['cause'] | undefined;
	message: string;
	/** What to do next. `{again}` advises to try again. */
	advice: string;
}

type Facts = Omit<FailureTexts, 'message' | 'advice'>;

const UNAVAILABLE = 'temporarily-unavailable';
/** It didn't reach the service, so it can't have been carried out. */
const TURNED_AWAY: Facts = { carriedOut: 'no', cause: UNAVAILABLE };
const NOT_SENT: Facts = { ...TURNED_AWAY, passesSoon: true };
/** It fails until somebody changes the credential, the proxy or the server. */
const SETUP: Facts = { carriedOut: 'no', cause: 'configuration-invalid' };
/** It was sent, but it isn't known whether the service has carried it out. */
const UNCLEAR: Facts = { carriedOut: 'maybe', cause: UNAVAILABLE };
const INTERRUPTED: Facts = { ...UNCLEAR, passesSoon: true };
/** The service has answered that it won't carry out this request. */
const REFUSED: Facts = { carriedOut: 'no', cause: undefined };

const UNREACHABLE = "{service} couldn't be reached at {baseUrl}";
const CHECK_ADDRESS =
	"Check {setting}. The Base URL is the service's URL without /api, e.g. https://example.com.";
const PROXY_SETTINGS =
	'the proxy in the node\'s "Request Options" or in n8n\'s environment (HTTP_PROXY, HTTPS_PROXY)';
const REJECTED = {
	...REFUSED,
	message: '{service} rejected the request (HTTP {status})',
	advice: 'Check the parameters.',
};
const BROKEN = {
	...INTERRUPTED,
	message: '{service} returned a server error (HTTP {status})',
	advice: '{again}',
};

/**
 * Where a request without a response can fail, in the order of its steps. docs/maintainers/development.md,
 * "Where a request fails", explains each.
 */
export const PHASES = {
	credential: {
		...SETUP,
		message: 'Nothing was sent',
		advice: 'Check the {service} credential and the "Request Options" of the node.',
	},
	lookUp: {
		...NOT_SENT,
		message: UNREACHABLE,
		advice:
			"The server's name couldn't be looked up. Check the Base URL for a typo. If it's correct, the name server may have failed for a moment. {again}",
	},
	connection: {
		...NOT_SENT,
		message: UNREACHABLE,
		advice: 'The server may be down, or the Base URL may be wrong. {again}',
	},
	proxy: {
		...NOT_SENT,
		message: "The proxy between n8n and {service} couldn't be reached",
		advice: `Check ${PROXY_SETTINGS}. {again}`,
	},
	proxyLogin: {
		...SETUP,
		message: 'The proxy between n8n and {service} asks for a login (HTTP 407)',
		advice: `Add a user and password to ${PROXY_SETTINGS}, e.g. http://user:password@proxy.example:3128.`,
	},
	tls: {
		...NOT_SENT,
		message: UNREACHABLE,
		advice:
			"The connection broke before it was encrypted, so nothing was sent. {again} If this keeps happening, ask the server's administrator which TLS versions and hostnames it accepts, and whether it requires a client certificate.",
	},
	plainPort: {
		...SETUP,
		message: UNREACHABLE,
		advice:
			"The Base URL begins with https://, but this port doesn't speak HTTPS. Enter the port for HTTPS. If the service has none, for example in your own network, begin the Base URL with http://.",
	},
	certificate: {
		...SETUP,
		message: UNREACHABLE,
		advice: `The server's certificate isn't valid. Ask its administrator, or turn on "Ignore SSL Issues (Insecure)" in the credential if you trust the server anyway.`,
	},
	sending: {
		...INTERRUPTED,
		message: UNREACHABLE,
		advice: 'The connection broke. {again}',
	},
	/** It has taken minutes, so it isn't repeated right away. */
	timeout: {
		...UNCLEAR,
		message: UNREACHABLE,
		advice: "The service didn't respond in time. {again}",
	},
	undecodable: {
		...UNCLEAR,
		message: "{service} returned a response that can't be read",
		advice:
			"The response {flaw}. {again} If this keeps happening, a proxy or web server between n8n and the service may be changing responses. Ask the service's administrator.",
	},
} satisfies Record<string, FailureTexts>;

export type Phase = keyof typeof PHASES;

/** All that can go wrong, with or without a response. */
export const FAILURES = {
	...PHASES,
	rejected: REJECTED,
	notFound: REJECTED,
	/** The words, such as "Not Found", are those for an unknown address, but can be about a record. */
	noSuchPage: REJECTED,
	tooLarge: {
		...REFUSED,
		message: 'The request is too large for {service} (HTTP 413)',
		advice:
			'Send a smaller file or less data. If a web server in front of the service sets the limit, its administrator can raise it.',
	},
	denied: {
		...REFUSED,
		message: '{service} denied access (HTTP {status})',
		advice:
			"Check that your key and plan allow this operation. If they do, ask the service's administrator whether something in front of the service, such as a firewall or a proxy, is blocking it.",
	},
	key: {
		...REFUSED,
		cause: 'credential-invalid',
		message: "{service} didn't accept the API key",
		advice: 'Check the API Key in the {service} credential, and its {fields}.',
	},
	rateLimit: {
		...REFUSED,
		cause: 'rate-limited',
		message: "You've reached the rate limit of the {service} API key",
		advice: 'Try again {when}.',
	},
	quota: {
		...REFUSED,
		cause: 'quota-exhausted',
		message: "You've used up the quota of the {service} API key",
		advice: 'Requests fail until the quota resets{resets}',
	},
	/** Statuses 421 and 425: the server hasn't processed the request. */
	notProcessed: {
		...NOT_SENT,
		message: "{service} didn't process the request (HTTP {status})",
		advice: '{again}',
	},
	/** Status 408, mostly of a load balancer. */
	slow: {
		...INTERRUPTED,
		carriedOut: 'open',
		message: "{service} didn't get the whole request in time (HTTP 408)",
		advice: '{again} If you were uploading a file, a smaller one or a faster connection may help.',
	},
	server: { ...BROKEN, carriedOut: 'open', passesSoon: undefined },
	/** A 503: the service may work again in a moment. */
	unavailable: { ...BROKEN, carriedOut: 'open' },
	/** From a server in front of the service, which didn't respond to it. */
	gateway: BROKEN,
	/** A web page, or a request for a login, which the services don't have. */
	blocked: {
		...TURNED_AWAY,
		message: 'Something in front of {service} answered instead of it (HTTP {status})',
		advice:
			"It may be a firewall, a bot check or a web server that asks for a login, so your API key may be right. Ask the service's administrator to let requests to {baseUrl}/api through. {again}",
	},
	/** Something else has answered that it has no such path. */
	address: {
		...SETUP,
		message: 'There is no {service} API at {address}',
		advice: CHECK_ADDRESS,
	},
	/** As a success, so it isn't known who has answered, and why. */
	page: {
		...UNCLEAR,
		message: 'There is no {service} API at {address}, but a web page',
		advice: `${CHECK_ADDRESS} If it's right, the service may be down for maintenance, or something in front of it asks for a login. {again}`,
	},
	/** What to correct depends on where it leads. */
	redirect: {
		...SETUP,
		// Some services redirect to what they have created.
		carriedOut: 'maybe',
		message: '{address} redirects{to}',
		advice: "The node doesn't follow redirects, so the key is never sent to another host.",
	},
	/** A success that doesn't show that the request has been carried out. */
	unconfirmed: {
		...UNCLEAR,
		message: '{service} returned an unexpected response',
		advice:
			"The service returned {got} (HTTP {status}), which doesn't confirm that the request succeeded. {again} If this keeps happening, check the credential's Base URL, or contact the service's administrator.",
	},
	/** The caller says what was expected. */
	shape: { carriedOut: 'no', cause: 'node-defect', message: '', advice: '' },
} satisfies Record<string, FailureTexts>;

export type FailureKind = keyof typeof FAILURES;
