import { inspect } from 'node:util';

import { fakeService, type Respond } from '../fakeService';
import { callAsTool, searchList, testCredential } from './contexts';
import { runNode } from './harness';
import { TriggerHost } from './pollHarness';
import { itemsOf, runAt } from './support';

const KEY = 'qzxvkwjyhqgzvxkjwbqzyxvkwjhq';
const PARTS = Array.from({ length: KEY.length - 3 }, (_, start) => KEY.slice(start, start + 4));

/** Texts that quote the key: at the start, in the middle, and wherever a long text may be cut. */
const QUOTES = [
	`${KEY} isn't allowed`,
	`The key ${encodeURIComponent(KEY)} isn't allowed`,
	...[30, 40, 290, 300, 560, 590, 600].map((length) => `${'a '.repeat(length / 2)}${KEY} b`),
	...[270, 575, 580, 585].map((length) => `${'a '.repeat(length)}${KEY}${' b'.repeat(1_000)}`),
];

const ANSWERS: Array<(text: string) => unknown> = [
	...[200, 400, 401, 403, 404, 413, 422, 429, 500].flatMap((status) => [
		(text: string) => ({ status, body: { error: 1, success: false, message: text } }),
		(text: string) => ({ status, body: text }),
	]),
	(text) => ({ status: 402, body: { message: `Daily quota exceeded ${text}` } }),
	(text) => ({ status: 302, headers: { location: `https://x.example/${encodeURI(text)}` } }),
	(text) => ({ body: { message: text } }),
	(text) => ({ body: { [text]: 1 } }),
	(text) => ({ body: { success: true, error: 0, message: text, data: { [text]: [] } } }),
];

/** Every text and every way to answer, as services that each quote the key in one response. */
async function quoting<T>(
	look: (credential: { baseUrl: string; apiKey: string }) => Promise<T>,
	answers = ANSWERS,
) {
	const all = answers.flatMap((answer) => QUOTES.map((text) => answer(text)));
	let next: unknown;
	const { baseUrl } = await fakeService((request) =>
		typeof next === 'function' ? (next as Respond)(request) : next,
	);
	const seen: T[] = [];
	for (const [index, answer] of all.entries()) {
		next = answer;
		// The path makes it a limiter of its own.
		seen.push(await look({ baseUrl: `${baseUrl}/${index}`, apiKey: KEY }));
	}
	return seen;
}

function expectNoKey(seen: unknown) {
	const text = JSON.stringify(seen).toLowerCase();
	expect(text).toContain('***');
	expect(PARTS.filter((part) => text.includes(part))).toEqual([]);
}

/** Including symbols, causes and stacks. */
const everything = (value: unknown) =>
	inspect(value, { depth: 30, maxArrayLength: null, maxStringLength: null, showHidden: true });
const fails = { onRateLimit: 'fail' };

describe('No part of the key is shown', () => {
	test.each(['stopWorkflow', 'continueRegularOutput'] as const)(
		'no part of the key is in an error of a node with On Error set to %s',
		async (onError) => {
			const seen = await quoting(async (credential) => {
				const parameters = { resource: 'campaign', operation: 'getAll', options: fails };
				const outcome = await runAt({ credential }, parameters, { settings: { onError } });
				return everything([outcome.run, outcome.error]);
			});
			expectNoKey(seen);
		},
	);

	test('no part of the key is in an agent’s answer', async () => {
		const seen = await quoting(async (credential) => {
			const parameters = { resource: 'campaign', operation: 'getAll' };
			const credentials = { linkManagementApi: credential };
			return (await callAsTool('linkManagement', parameters, credentials, [{}])).answers;
		});
		expectNoKey(seen);
	});

	test('no part of the key is in an agent’s answer with simplified companies', async () => {
		const seen = await quoting(
			async (credential) => {
				const parameters = {
					resource: 'company',
					operation: 'search',
					q: 'Agro',
					output: 'simple',
				};
				const credentials = { companyRegistryApi: { ...credential, variant: 'v1' } };
				return (await callAsTool('companyRegistry', parameters, credentials, [{}])).answers;
			},
			[(text) => ({ success: true, data: [{ idno: '1003600015231', name: 'Agro', note: text }] })],
		);
		expectNoKey(seen);
	});

	test('no part of the key is in the test of a credential or the error of a list in the editor', async () => {
		const seen = await quoting(async (credential) => [
			await testCredential('linkManagementApi', credential),
			await searchList('linkManagement', 'searchCampaigns', {
				linkManagementApi: credential,
			}).catch(everything),
		]);
		expectNoKey(seen);
	});

	test('no part of the key is in the errors and the log of a trigger', async () => {
		const page = { error: 0, data: { id: 1 }, list: [{ id: 1 }], maxpage: 2 };
		let hasPage = false;
		const answers = ANSWERS.filter((answer) => !/429|quota/.test(JSON.stringify(answer(''))));
		const seen = await quoting(
			async (credential) => {
				const host = new TriggerHost({
					scheduler: 'classic',
					parameters: { event: 'fileCreated' },
					credentials: { linkManagementApi: credential },
				});
				hasPage = false;
				const error = await host.activate().catch(everything);
				await host.tick();
				// The next poll reads a page before it fails.
				hasPage = true;
				await host.tick();
				return { errors: [error, host.errors.map(everything)], warnings: host.warnings };
			},
			answers.map(
				(answer) =>
					(text: string): Respond =>
					({ query }) =>
						hasPage && query.get('page') !== '2' ? page : answer(text),
			),
		);
		expectNoKey(seen.map(({ errors }) => errors));
		expectNoKey(seen.map(({ warnings }) => warnings));
	});

	/** Fields that a key can be pasted into by mistake, after some other text. */
	const pasted = (text: string) => [
		{ resource: 'qrCode', operation: 'get', qrCodeId: text },
		{ resource: 'account', operation: 'update', accountFields: { email: text } },
		{ resource: 'apiRequest', operation: 'send', path: text },
		{ resource: 'apiRequest', operation: 'send', path: '/', method: 'PUT', jsonBody: text },
		{
			resource: 'apiRequest',
			operation: 'send',
			path: '/',
			method: 'PUT',
			jsonBody: `{"a":${text}}`,
		},
		{ resource: 'pixel', operation: 'getAll', limit: { text } },
	];

	test.each([0, 10, 20, 28, 34, 38, 50])(
		'no part of the key is in an error about an input that has it after %d characters',
		async (length) => {
			const credential = { baseUrl: 'http://links.example', apiKey: KEY };
			for (const parameters of pasted(`${'a '.repeat(length / 2)}${KEY}`)) {
				const { error, items } = await runAt({ credential }, parameters);
				expect(items).toEqual([]);
				// n8n adds the node with its parameters to an error.
				const { message, description, stack } = error!;
				const text = JSON.stringify([message, description, stack]).toLowerCase();
				expect(PARTS.filter((part) => text.includes(part))).toEqual([]);
			}
		},
	);

	test('no part of the key is in a reason of Enrich', async () => {
		const seen = await quoting(
			async (credential) => {
				const { items } = await runNode({
					type: 'companyRegistry',
					parameters: { resource: 'company', operation: 'enrich' },
					credentials: { companyRegistryApi: { ...credential, variant: 'unversioned' } },
					items: itemsOf({ name: 'Vinuri Bune' }),
				});
				return items.map(({ json }) => json);
			},
			[(text) => ({ status: 400, body: { success: false, message: text } })],
		);
		expectNoKey(seen);
	});
});

test('the output of an ordinary run isn’t masked', async () => {
	const service = await fakeService(() => ({ url: `?k=${service.apiKey}`, id: 1 }));
	const parameters = { resource: 'apiRequest', operation: 'send', path: '/api/v1/status' };
	const { items } = await runAt(service, parameters);
	expect(items[0]!.json).toEqual({ url: `?k=${service.apiKey}`, id: 1 });
});
