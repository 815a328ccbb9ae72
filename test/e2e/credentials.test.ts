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

// test/engine/credentials.test.ts covers what each response means.
describe.each(['links', 'registry', 'registryUnversioned'] as const)(
	'Credential test in n8n (%s)',
	(which) => {
		it('passes if the key is pasted with spaces and the Base URL with /api and a slash', async () => {
			const { apiKey, baseUrl } = credentialData(stage.sandbox)[which];
			const verdict = await test(which, { apiKey: ` ${apiKey}\n`, baseUrl: `${baseUrl}/api/` });
			expect(verdict).toMatchObject({ status: 'OK' });
		});

		it('says that the key is wrong, without repeating it', async () => {
			const verdict = await test(which, { apiKey: 'no-such-key' });
			expect(verdict.status).toBe('Error');
			expect(verdict.message).toMatch(/API key/);
			expect(verdict.message).not.toContain('no-such-key');
		});
	},
);

it('testing a V1 credential doesn’t use up the daily quota', async () => {
	const { v1 } = stage.sandbox.registry;
	const before = v1.quotaOf(v1.apiKey)?.remaining;
	await test('registry');
	expect(v1.quotaOf(v1.apiKey)?.remaining).toBe(before);
	expect(v1.requests).toHaveLength(1);
});
