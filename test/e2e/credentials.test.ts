import { credentialData, startStage, type Stage } from './support/stage';

/** n8n's answer to a credential test. */
interface Verdict {
	status: 'OK' | 'Error';
	message: string;
}

let stage: Stage;

beforeAll(async () => {
	stage = await startStage();
});

afterAll(async () => await stage?.cleanup.run());

beforeEach(() => stage.sandbox.reset());

/** Tests a stored credential, as the editor does, with some of its fields changed. */
async function test(
	which: keyof Stage['credentials'],
	change: Record<string, unknown> = {},
): Promise<Verdict> {
	const { id, name, type } = stage.credentials[which];
	const data = { ...credentialData(stage.sandbox)[which], ...change };
	return await stage.api.post<Verdict>('/rest/credentials/test', {
		credentials: { id, name, type, data },
	});
}

const ALL = ['links', 'registry', 'registryUnversioned'] as const;

// test/engine/credentials.test.ts covers what each response means.
describe.each(ALL)('Credential test in n8n (%s)', (which) => {
	it('passes if the key is pasted with spaces and the Base URL with /api and a slash', async () => {
		const { apiKey, baseUrl } = credentialData(stage.sandbox)[which];
		const verdict = await test(which, { apiKey: ` ${apiKey}\n`, baseUrl: `${baseUrl}/api/` });
		expect(verdict).toMatchObject({ status: 'OK' });
	});

	it.each([
		['the key is wrong, without repeating it', 'apiKey', 'no-such-key', /not accept the API key/],
		['the address is wrong', 'baseUrl', '{sandbox}/elsewhere', /^There is no .+ API at http/],
		[
			'nothing answers at the address',
			'baseUrl',
			'http://127.0.0.1:1',
			/could not be reached at http:\/\/127\.0\.0\.1:1\. .*Base URL is wrong/,
		],
	])('the credential test says that %s', async (_, field, value, message) => {
		const verdict = await test(which, { [field]: value.replace('{sandbox}', stage.sandbox.url) });
		expect(verdict).toEqual({ status: 'Error', message: expect.stringMatching(message) });
		expect(verdict.message).not.toContain('no-such-key');
	});
});

describe('Credential test in n8n', () => {
	it('detects a rejected key in a response with status 200', async () => {
		stage.sandbox.links.configure({ errorStatus: 'ok' });
		const verdict = await test('links', { apiKey: 'no-such-key' });
		expect(verdict.status).toBe('Error');
		expect(verdict.message).toMatch(/did not accept the API key/);
	});

	it('says that the service returned a server error', async () => {
		stage.sandbox.links.inject({ status: 503, times: 'always' });
		expect((await test('links')).message).toMatch(/returned a server error/);
	});

	it('doesn’t use up the registry’s daily quota with the V1 API', async () => {
		const { v1 } = stage.sandbox.registry;
		const before = v1.quotaOf(v1.apiKey)?.remaining;
		await test('registry');
		expect(v1.quotaOf(v1.apiKey)?.remaining).toBe(before);
		expect(v1.requests).toHaveLength(1);
	});
});
