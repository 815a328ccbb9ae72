import { credentialData, startStage, type Stage } from './support/stage';

/** What n8n answers when a credential is tested. */
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

describe.each(ALL)('the test of the credential for %s', (which) => {
	it('passes with the right key', async () => {
		expect(await test(which)).toMatchObject({ status: 'OK' });
	});

	it('passes when the key is pasted with spaces and the address with /api and a slash', async () => {
		const { apiKey, baseUrl } = credentialData(stage.sandbox)[which];
		const verdict = await test(which, { apiKey: ` ${apiKey}\n`, baseUrl: `${baseUrl}/api/` });
		expect(verdict).toMatchObject({ status: 'OK' });
	});

	it('says that the key is wrong, without repeating it', async () => {
		const verdict = await test(which, { apiKey: 'no-such-key' });
		expect(verdict.status).toBe('Error');
		expect(verdict.message).toMatch(/did not accept the API key/);
		expect(verdict.message).not.toContain('no-such-key');
	});

	it('says that the address is wrong', async () => {
		const verdict = await test(which, { baseUrl: `${stage.sandbox.url}/elsewhere` });
		expect(verdict.status).toBe('Error');
		expect(verdict.message).toMatch(/no .+ API .*at this Base URL/);
	});

	it('says that the service is down', async () => {
		const service = which === 'links' ? stage.sandbox.links : registryOf(which);
		service.inject({ status: 503, times: 'always' });
		const verdict = await test(which);
		expect(verdict.status).toBe('Error');
		expect(verdict.message).toMatch(/returned a server error/);
	});

	it('says that nothing answers at the address, in n8n’s own word', async () => {
		const verdict = await test(which, { baseUrl: 'http://127.0.0.1:1' });
		expect(verdict).toEqual({ status: 'Error', message: 'ECONNREFUSED' });
	});
});

describe('the test of a credential', () => {
	it('sees a wrong key behind status 200', async () => {
		stage.sandbox.links.configure({ errorStatus: 'ok' });
		const verdict = await test('links', { apiKey: 'no-such-key' });
		expect(verdict.status).toBe('Error');
		expect(verdict.message).toMatch(/did not accept the API key/);
	});

	it('mentions the Authorization header when a server on the way drops it', async () => {
		stage.sandbox.links.configure({ dropAuthorization: true });
		expect((await test('links')).message).toMatch(/Authorization header/);
	});

	it('costs the registry’s daily quota nothing in the V1 API', async () => {
		const { v1 } = stage.sandbox.registry;
		const before = v1.quotaOf(v1.apiKey)?.remaining;
		await test('registry');
		expect(v1.quotaOf(v1.apiKey)?.remaining).toBe(before);
		expect(v1.requests).toHaveLength(1);
	});
});

function registryOf(which: 'registry' | 'registryUnversioned') {
	const { v1, unversioned } = stage.sandbox.registry;
	return which === 'registry' ? v1 : unversioned;
}
