import {
	concernsKey,
	isInvalidInput,
	isMissing,
	isNoSuchPage,
	isOutOfRequests,
	isPageSizeError,
	isSetupFailure,
	isTemporary,
	isUnlikeApi,
	ServiceError,
} from '../../../nodes/shared/http/errors';
import { FAILURES, type FailureKind } from '../../../nodes/shared/http/failures';

type Test = (error: unknown) => boolean;

const NEVER_ARRIVED = 'lookUp connection proxy tls sending timeout undecodable';
const LIMITS = 'rateLimit quota';
const PASSING_ANSWERS = 'notProcessed slow server unavailable gateway blocked page unconfirmed';

test.each<[what: string, kinds: string, test: Test]>([
	[
		'the same request may succeed later',
		`${NEVER_ARRIVED} ${LIMITS} ${PASSING_ANSWERS}`,
		isTemporary,
	],
	['the key has no requests left', LIMITS, isOutOfRequests],
	['other requests with the key fail as well', `key ${LIMITS}`, concernsKey],
	[
		'nothing arrives until somebody changes the setup',
		'credential proxyLogin plainPort certificate',
		isSetupFailure,
	],
	['a record is missing', 'notFound noSuchPage', isMissing],
])('%s only after failures of these kinds: %s', (_, kinds, test) => {
	const all = Object.keys(FAILURES) as FailureKind[];
	const found = all.filter((kind) => test(new ServiceError('No', { kind })));
	expect(found.sort()).toEqual(kinds.split(' ').sort());
});

test.each(Object.entries(FAILURES).filter(([, { cause }]) => cause === 'temporarily-unavailable'))(
	'a failure that may pass by itself says when to try again: %s',
	(_, { advice }) => {
		expect(advice).toContain('{again}');
	},
);

const NO_PAGE = 'the list has no such page';
const PAGE_SIZE = 'the page is too large';
const INPUT = 'the input is invalid';
const ADDRESS = 'the address may be wrong';
const TESTS: Record<string, Test> = {
	[NO_PAGE]: isNoSuchPage,
	[PAGE_SIZE]: isPageSizeError,
	[INPUT]: isInvalidInput,
	[ADDRESS]: isUnlikeApi,
};

test.each<[string, meanings: string[], ...ConstructorParameters<typeof ServiceError>]>([
	['a 200 in words', [INPUT], 'No', { httpCode: '200' }],
	['a 200 that says so', [NO_PAGE, INPUT], 'No results', { httpCode: '200' }],
	['a 200 about a fault', [INPUT], 'Database error', { httpCode: '200' }],
	['a 400', [NO_PAGE, PAGE_SIZE, INPUT, ADDRESS], 'No', { httpCode: '400' }],
	['a 404', [NO_PAGE, ADDRESS], 'No', { httpCode: '404', kind: 'notFound' }],
	['a 404 about the address', [NO_PAGE, ADDRESS], 'No', { httpCode: '404', kind: 'noSuchPage' }],
	['a page with 404', [NO_PAGE], 'No', { httpCode: '404', kind: 'address' }],
	['a page with 200', [ADDRESS], 'No', { httpCode: '200', kind: 'page' }],
	['a 405', [ADDRESS], 'No', { httpCode: '405' }],
	['a 409', [], 'No', { httpCode: '409' }],
	['a 422', [NO_PAGE, PAGE_SIZE, INPUT], 'No', { httpCode: '422' }],
	['a limit that’s too large', [PAGE_SIZE], 'Limit too large', { httpCode: '409' }],
	['a wrong per_page', [PAGE_SIZE], 'Wrong per_page', { httpCode: '409' }],
	['a wrong page size', [PAGE_SIZE], 'Wrong page size', { httpCode: '409' }],
	['a body that can’t be read', [ADDRESS], 'No', { httpCode: '200', kind: 'undecodable' }],
	['a body that can’t be decoded', [], 'No', { kind: 'undecodable' }],
	['a 200 that confirms nothing', [ADDRESS], 'No', { httpCode: '200', kind: 'unconfirmed' }],
])('%s means: %j', (_, meanings, ...details) => {
	const error = new ServiceError(...details);
	const found = Object.keys(TESTS).filter((meaning) => TESTS[meaning]!(error));
	expect(found).toEqual(meanings);
});
