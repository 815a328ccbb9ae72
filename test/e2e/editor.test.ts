import { Editor } from './support/editor';
import {
	credentialData,
	OWNER,
	startStage,
	type SandboxCredentials,
	type Stage,
} from './support/stage';

let stage: Stage;
let editor: Editor;

beforeAll(async () => {
	stage = await startStage();
	editor = await Editor.open(stage.n8n.url, OWNER);
	stage.cleanup.add(async () => await editor.close());
});

afterAll(async () => await stage?.cleanup.run());

beforeEach(async () => {
	stage.sandbox.reset();
	await editor.newWorkflow();
});

// Shows how a test ended, whichever way.
afterEach(async () => await editor.screenshot(`end of ${expect.getState().currentTestName}`));

describe('the palette', () => {
	it.each([
		...['branded domain', 'tracking pixel', 'QR', 'short url', 'url shortener', 'shorten'].map(
			(words) => [words, 'Link Management'],
		),
		...['upload file', 'file uploaded', 'new file', 'file downloaded'].map((words) => [
			words,
			'Link Management',
		]),
		...['Moldova', 'IDNO', 'company', 'company status', 'credit rating'].map((words) => [
			words,
			'Company Registry',
		]),
		...['lead enrichment', 'watch company'].map((words) => [words, 'Company Registry']),
	])('finds by "%s" the node %s', async (words, node) => {
		const found = await editor.findInPalette(words, node);
		await editor.screenshot(`palette ${words}`);
		expect(await found.count()).toBe(1);
		const icon = found.locator('img').first();
		const width = await icon.evaluate((image) => (image as { naturalWidth?: number }).naturalWidth);
		expect(width).toBeGreaterThan(0);
	});
});

describe('the events in the palette', () => {
	it.each([
		[
			'Link Management',
			[
				'On file created',
				'On file downloaded',
				'On item added to channel',
				'On QR code created',
				'On QR code scanned',
			],
		],
		['Company Registry', ['On company status changed', 'On new company found']],
	])('are listed inside %s', async (node, events) => {
		await editor.findInPalette(node, node);
		const found = await editor.triggersOf(node);
		await editor.screenshot(`triggers of ${node}`);
		expect(found.sort()).toEqual([...events].sort());
	});
});

describe('a credential', () => {
	it('is created from the node; a wrong key is explained, the right one accepted', async () => {
		const { baseUrl, apiKey } = credentialData(stage.sandbox).links;
		await addToCanvas('branded domain', 'Link Management', 'Get many campaigns');
		const form = await editor.newCredential();
		await editor.screenshot('credential, empty');

		await editor.saveCredential({ baseUrl, apiKey: 'no-such-key' });
		await form.getByText('Couldn’t connect with these settings').waitFor();
		await form.getByText('More details').click();
		await form.getByText('The service did not accept the API key').waitFor();
		await editor.screenshot('credential, wrong key');

		await editor.saveCredential({ apiKey });
		await form.waitFor({ state: 'hidden' });
		await editor.editCredential();
		await form.getByText('Connection tested successfully').waitFor();
		await editor.screenshot('credential, right key');
		await editor.closeCredential();
	});

	it('shows the plans of the API’s variant that is chosen', async () => {
		await addToCanvas('Moldova', 'Company Registry', 'Search companies by name or IDNO');
		await editor.newCredential();
		expect(await editor.chosen('plan')).toBe('Developer Free (10 per Minute, 100 per Day)');
		await editor.screenshot('credential, V1');
		await editor.choose('variant', 'Unversioned');
		await editor.choose('plan', 'Premium (60 per Minute, 5000 per Day)');
		await editor.screenshot('credential, unversioned');
	});
});

describe('Link Management in the editor', () => {
	it('lets you select a record from a searchable list and shows the output', async () => {
		const [qrCode] = stage.sandbox.links.state.qrs.slice('newest-first', 70, 1);
		await addToCanvas('QR', 'Link Management', 'Get QR code with scan count', 'links');
		const label = await editor.chooseFromList('qrCodeId', String(qrCode?.name));
		expect(label).toBe(`${qrCode?.name} (${qrCode?.id})`);
		expect(await editor.executeStep()).toBe('success');
		await editor.screenshot('QR code');
		expect(await editor.output.innerText()).toContain(qrCode?.link);
	});

	it('offers the fields of the resource and the operation that are chosen', async () => {
		await addToCanvas('branded domain', 'Link Management', 'Get many campaigns');
		await editor.choose('resource', 'Channel');
		await editor.choose('operation', 'Create');
		await editor.parameter('name').waitFor();
		await editor.screenshot('channel, create');
		expect((await editor.parameterNames()).slice(0, 5)).toEqual([
			'Resource',
			'Operation',
			'Name',
			'Additional Fields',
			'Options',
		]);
	});

	it('shows an error in words that help', async () => {
		await addToCanvas('branded domain', 'Link Management', 'Delete campaign', 'links');
		await editor.enterId('campaignId', '99999');
		expect(await editor.executeStep()).toBe('error');
		await editor.screenshot('error', editor.panel);
		const shown = await editor.output.innerText();
		expect(shown).toContain('Campaign does not exist');
		expect(shown).toContain('Double-check the value of the parameter "Campaign" (99999)');
	});

	it('shows the rows of a list', async () => {
		await addToCanvas('QR', 'Link Management', 'Get many QR codes with scan counts', 'links');
		expect(await editor.executeStep()).toBe('success');
		await editor.showAs('table');
		await editor.screenshot('QR codes', editor.panel);
		expect(await editor.output.innerText()).toContain('50 items');
	});
});

describe('Company Registry in the editor', () => {
	it('searches companies', async () => {
		await addToCanvas(
			'company',
			'Company Registry',
			'Search companies by name or IDNO',
			'registry',
		);
		await editor.fill('q', 'Agro');
		await editor.screenshot('search, before');
		expect(await editor.executeStep()).toBe('success');
		await editor.showAs('table');
		await editor.screenshot('search', editor.panel);
		expect(await editor.output.innerText()).toContain('50 items');
	});

	it('says what is wrong with an IDNO before anything is sent', async () => {
		await addToCanvas(
			'IDNO',
			'Company Registry',
			'Get full company data by IDNO or name',
			'registry',
		);
		await editor.chooseMode('idno', 'idno');
		await editor.enterLocated('idno', '1000600900003');
		expect(await editor.executeStep()).toBe('error');
		await editor.screenshot('IDNO, wrong');
		expect(await editor.output.innerText()).toContain('is not a valid IDNO: 1000600900003');
		expect(stage.sandbox.registry.v1.requests).toHaveLength(0);
	});

	it('lets a company be chosen by its name, for one request', async () => {
		const [company] = stage.sandbox.registry.v1.state.all();
		await addToCanvas(
			'IDNO',
			'Company Registry',
			'Get full company data by IDNO or name',
			'registry',
		);
		await editor.panel.getByText('Each search costs one request').waitFor();
		const label = await editor.chooseFromList('idno', String(company?.name));
		expect(label).toContain(`(${company?.idno})`);
		expect(stage.sandbox.registry.v1.requests).toHaveLength(1);
		expect(await editor.executeStep()).toBe('success');
		await editor.screenshot('company, chosen', editor.panel);
		expect(await editor.output.innerText()).toContain(company?.idno);
	});

	it('shows the fields of the enrichment', async () => {
		await addToCanvas(
			'company',
			'Company Registry',
			'Find company by name or IDNO and add its data',
			'registry',
		);
		await editor.screenshot('enrich');
		for (const name of ['companyIdno', 'companyName', 'minScore', 'addCredit']) {
			await editor.parameter(name).waitFor();
		}
	});
});

describe('the triggers in the editor', () => {
	it('fetch a test event', async () => {
		const [file] = stage.sandbox.links.state.files.slice('newest-first', 0, 1);
		await addToCanvas('new file', 'Link Management', 'On file created', 'links');
		await editor.screenshot('trigger, before');
		expect(await editor.executeStep()).toBe('success');
		await editor.showAs('table');
		await editor.screenshot('trigger', editor.panel);
		expect(await editor.output.innerText()).toContain(file?.name);
	});

	it('show the fields of the event', async () => {
		const action = 'On company status changed';
		await addToCanvas('watch company', 'Company Registry', action, 'registry');
		await editor.parameter('watch').waitFor();
		await editor.screenshot('trigger, company status', editor.panel);
	});
});

describe('clicks per job, the node added from the palette', () => {
	it.each<[string, number, () => Promise<unknown>]>([
		[
			'list the QR codes',
			5,
			async () =>
				await addToCanvas('QR', 'Link Management', 'Get many QR codes with scan counts', 'links'),
		],
		[
			'create a campaign with a name',
			5,
			async () => {
				await addToCanvas('campaign', 'Link Management', 'Create campaign', 'links');
				await editor.fill('campaignName', 'Spring sale');
			},
		],
		[
			'get a credit rating by the name of a company',
			7,
			async () => {
				const [company] = stage.sandbox.registry.v1.state.all();
				const action = 'Get credit rating and limit by IDNO or name';
				await addToCanvas('credit rating', 'Company Registry', action, 'registry');
				await editor.chooseFromList('idno', String(company?.name));
			},
		],
	])('%s: %d', async (_job, clicks, work) => {
		await work();
		expect(await editor.executeStep()).toBe('success');
		expect(await editor.clicks()).toBe(clicks);
	});
});

async function addToCanvas(
	words: string,
	node: string,
	action: string,
	credential?: keyof SandboxCredentials,
): Promise<void> {
	await editor.findInPalette(words, node);
	await editor.addAction(node, action);
	// n8n selects the only credential of a type by itself.
	if (credential) {
		await editor.uncounted(async () => {
			await editor.chooseCredential(stage.credentials[credential]);
		});
	}
}
