import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { fakeService, type FakeService } from '../fakeService';
import { callAsTool, searchList, testCredential } from './contexts';
import { byId } from './harness';
import { TriggerHost } from './pollHarness';
import { runAt } from './support';

/** The codes for which n8n replaces a whole message, wherever in a word they stand: EEXIST in "NameExists". */
const CODES = (() => {
	const place = 'node_modules/n8n-workflow/dist/cjs/errors/abstract/node.error.js';
	const source = readFileSync(join(__dirname, '../..', place), 'utf8');
	const [, table = ''] = /COMMON_ERRORS = \{(.*?)\n\};/s.exec(source) ?? [];
	return [...table.matchAll(/^\s*([A-Z_]+):/gm)].map(([, code]) => code!);
})();

test('n8n’s list of codes is found', () => {
	expect(CODES).toEqual(expect.arrayContaining(['EACCES', 'EEXIST', 'ENOENT', 'ECONNREFUSED']));
});

const get = { resource: 'qrCode', operation: 'get', qrCodeId: byId(1) };

type Ask = (service: FakeService) => Promise<unknown>;

const messageOf = (error: unknown) => (error as Error).message;

const CALLERS: Record<string, Ask> = {
	'an action': async (service) => (await runAt(service, get)).error?.message,
	'an action that continues': async (service) => {
		const settings = { onError: 'continueRegularOutput' as const };
		return (await runAt(service, get, { settings })).items[0]?.json.error;
	},
	'an agent’s tool': async ({ credential: linkManagementApi }) =>
		(await callAsTool('linkManagement', get, { linkManagementApi }, [{}])).answers[0],
	'a trigger': async ({ credential: linkManagementApi }) => {
		const parameters = { event: 'fileCreated' };
		const credentials = { linkManagementApi };
		const host = new TriggerHost({ scheduler: 'durable', parameters, credentials });
		return await host.activate().catch(messageOf);
	},
	'a credential test': async ({ credential }) =>
		(await testCredential('linkManagementApi', credential)).message,
	'a picker': async ({ credential: linkManagementApi }) =>
		await searchList('linkManagement', 'searchCampaigns', { linkManagementApi }).catch(messageOf),
};

test.each(Object.entries(CALLERS))(
	'%s tells the service’s words, whatever letters they contain',
	async (_, ask) => {
		for (const code of CODES) {
			const words = `Not now (Re${code.toLowerCase()}Or)`;
			const service = await fakeService(() => ({
				status: 403,
				body: { error: 1, message: `${words} plan` },
			}));
			expect(await ask(service)).toContain(words);
		}
	},
);
