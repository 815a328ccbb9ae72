import { Editor } from './support/editor';
import {
	credentialData,
	OWNER,
	startStage,
	type SandboxCredentials,
	type Stage,
} from './support/stage';

/** The palette leaves the word Trigger away. */
const TRIGGER_IN_PALETTE = 'Link & Company';

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
		['branded domain', 'Link Management'],
		['tracking pixel', 'Link Management'],
		['QR', 'Link Management'],
		['Moldova', 'Company Registry'],
		['IDNO', 'Company Registry'],
		['company', 'Company Registry'],
		['new file', TRIGGER_IN_PALETTE],
	])('finds by "%s" the node %s', async (words, node) => {
		const found = await editor.findInPalette(words, node);
		await editor.screenshot(`palette ${words}`);
		expect(await found.count()).toBe(1);
		const icon = found.locator('img').first();
		const width = await icon.evaluate((image) => (image as { naturalWidth?: number }).naturalWidth);
		expect(width).toBeGreaterThan(0);
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
		await addToCanvas('Moldova', 'Company Registry', 'Search companies');
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
		await addToCanvas('QR', 'Link Management', 'Get QR code', 'links');
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
			'Fields to Set',
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
		await addToCanvas('QR', 'Link Management', 'Get many QR codes', 'links');
		expect(await editor.executeStep()).toBe('success');
		await editor.showAs('table');
		await editor.screenshot('QR codes', editor.panel);
		expect(await editor.output.innerText()).toContain('50 items');
	});
});

describe('Company Registry in the editor', () => {
	it('searches companies', async () => {
		await addToCanvas('company', 'Company Registry', 'Search companies', 'registry');
		await editor.fill('q', 'Agro');
		await editor.screenshot('search, before');
		expect(await editor.executeStep()).toBe('success');
		await editor.showAs('table');
		await editor.screenshot('search', editor.panel);
		expect(await editor.output.innerText()).toContain('50 items');
	});

	it('says what is wrong with an IDNO before anything is sent', async () => {
		await addToCanvas('IDNO', 'Company Registry', 'Get company dossier', 'registry');
		await editor.enterLocated('idno', '1000600900003');
		expect(await editor.executeStep()).toBe('error');
		await editor.screenshot('IDNO, wrong');
		expect(await editor.output.innerText()).toContain('is not a valid IDNO: 1000600900003');
		expect(stage.sandbox.registry.v1.requests).toHaveLength(0);
	});

	it('lets a company be chosen by its name, for one request', async () => {
		const [company] = stage.sandbox.registry.v1.state.all();
		await addToCanvas('IDNO', 'Company Registry', 'Get company dossier', 'registry');
		await editor.chooseMode('idno', 'list');
		await editor.panel.getByText('Each search costs one request of the daily quota').waitFor();
		const label = await editor.chooseFromList('idno', String(company?.name));
		expect(label).toContain(`(${company?.idno})`);
		expect(stage.sandbox.registry.v1.requests).toHaveLength(1);
		expect(await editor.executeStep()).toBe('success');
		await editor.screenshot('company, chosen', editor.panel);
		expect(await editor.output.innerText()).toContain(company?.idno);
	});

	it('shows the fields of the enrichment', async () => {
		await addToCanvas('company', 'Company Registry', 'Enrich rows with company data', 'registry');
		await editor.screenshot('enrich');
		for (const name of ['companyIdno', 'companyName', 'minScore', 'addCredit']) {
			await editor.parameter(name).waitFor();
		}
	});
});

describe('Link & Company Trigger in the editor', () => {
	it('fetches a test event', async () => {
		const [file] = stage.sandbox.links.state.files.slice('newest-first', 0, 1);
		await addToCanvas('new file', TRIGGER_IN_PALETTE, 'On file created', 'links');
		await editor.screenshot('trigger, before');
		expect(await editor.executeStep()).toBe('success');
		await editor.showAs('table');
		await editor.screenshot('trigger', editor.panel);
		expect(await editor.output.innerText()).toContain(file?.name);
	});

	it('asks for the credential that the event needs', async () => {
		await addToCanvas('new file', TRIGGER_IN_PALETTE, 'On file created', 'links');
		await editor.choose('event', 'Company Status Changed');
		await editor.chooseCredential(stage.credentials.registry);
		await editor.parameter('watch').waitFor();
		await editor.screenshot('trigger, company status', editor.panel);
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
	if (credential) await editor.chooseCredential(stage.credentials[credential]);
}
