import type { IAdditionalCredentialOptions, IHttpRequestOptions, INode } from 'n8n-workflow';

import { linkManagement } from '../../../nodes/LinkManagement/api';
import { systemClock } from '../../../nodes/shared/http/clock';
import type { Service, Host } from '../../../nodes/shared/http/connection';
import { FakeClock } from './fakeClock';

/** Contains characters that are escaped in URLs or in JSON. */
const KEY = 'sk-4f9c/27+e1="d8';
const BASE_URL = 'https://links.example';

export const node: INode = {
	id: '1',
	name: 'Node',
	type: 'test',
	typeVersion: 1,
	position: [0, 0],
	parameters: {},
	credentials: { testApi: { id: '1', name: 'Test' } },
};

export const service: Service = {
	name: 'Test Service',
	credential: 'testApi',
	rate: () => ({ limit: 30, windowMs: 60_000 }),
	succeeded: (body, sent) => linkManagement.succeeded(body, sent),
	things: linkManagement.things,
	keyHint: 'Mind the header.',
};

export interface ScriptedAnswer {
	status?: number;
	headers?: Record<string, string>;
	/** Text is sent unchanged, anything else as JSON. */
	body?: unknown;
}

export type Step =
	ScriptedAnswer | Error | ((options: IHttpRequestOptions) => Promise<ScriptedAnswer>);

let keys = 0;

/** A host that answers with these steps, and repeats the last one. Each host has a limiter. */
export function scriptedHost(...steps: Step[]) {
	const asked: IHttpRequestOptions[] = [];
	const credentialsGiven: unknown[] = [];
	const apiKey = `${KEY}-${++keys}`;
	const host = {
		getNode: () => node,
		getCredentials: async () => ({ apiKey: ` ${apiKey} `, baseUrl: `${BASE_URL}/api/` }),
		helpers: {
			async httpRequestWithAuthentication(
				_: string,
				options: IHttpRequestOptions,
				more?: IAdditionalCredentialOptions,
			) {
				const step = steps[Math.min(asked.length, steps.length - 1)]!;
				asked.push(options);
				credentialsGiven.push(more?.credentialsDecrypted?.data);
				if (step instanceof Error) throw step;
				const answer = typeof step === 'function' ? await step(options) : step;
				const { status = 200, headers = {}, body = { error: 0 } } = answer;
				const text = typeof body === 'string' ? body : JSON.stringify(body);
				return { statusCode: status, headers, body: text };
			},
		},
	} as unknown as Host;
	return { host, asked, apiKey, credentialsGiven };
}

/** Replaces the system's clock with a fake one in each test of a file. */
export function useFakeClock(): FakeClock {
	const clock = new FakeClock();
	beforeEach(() => {
		clock.reset();
		jest.spyOn(systemClock, 'now').mockImplementation(() => clock.now());
		jest.spyOn(systemClock, 'sleep').mockImplementation(async (ms, signal) => {
			await clock.sleep(ms, signal);
		});
	});
	afterEach(() => jest.restoreAllMocks());
	return clock;
}
