import { readExample, selectCredentials } from '../../tools/examples';
import { until } from '../../tools/host';
import { chain, companyRegistry, startWith } from '../../tools/stage/workflows';
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

// Shows how each test ended, whether it passed or failed.
afterEach(async () => await editor.screenshot(`end of ${expect.getState().currentTestName}`));

describe('Palette', () => {
	it.each([
		{
			node: 'Link Management',
			words: [
				...['scan', 'scan qr', 'qr code', 'QR'],
				...['short url', 'branded domain', 'tracking pixel', 'campaign'],
				...['upload file', 'file uploaded', 'new file', 'file downloaded'],
				...['link scurt', 'cod qr', 'scanare qr'],
				...['короткая ссылка', 'qr-код', 'сканирование qr'],
			],
			events: [
				...['On file created', 'On file downloaded', 'On item added to channel'],
				...['On QR code created', 'On QR code scanned'],
			],
		},
		{
			node: 'Company Registry',
			words: [
				...['companies', 'company search', 'business register', 'company', 'company status'],
				...['credit rating', 'watch company', 'status change', 'enrich crm', 'Moldova', 'IDNO'],
				...['bonitate', 'firme', 'cautare firma', 'registrul companiilor', 'cod fiscal'],
				...['компании', 'поиск компании', 'реестр компаний', 'бонитет', 'контрагент'],
			],
			events: ['On company status changed', 'On new company found'],
		},
	])('the palette finds $node first or second, and lists its triggers', async (entry) => {
		const { node, words, events } = entry;
		await editor.openPalette();
		const places: string[] = [];
		for (const word of words) {
			const place = await editor.searchPalette(word, node);
			if (place > 2) places.push(`"${word}" finds it at place ${place}`);
		}
		expect(places).toEqual([]);
		const icon = editor.paletteEntries(node).locator('img').first();
		const width = await icon.evaluate((image) => (image as { naturalWidth?: number }).naturalWidth);
		expect(width).toBeGreaterThan(0);
		expect((await editor.triggersOf(node)).sort()).toEqual(events.sort());
	});
});

describe('Credential form', () => {
	it('the credential form explains a wrong key, and accepts the right one', async () => {
		const { baseUrl, apiKey } = credentialData(stage.sandbox).links;
		await addToCanvas('branded domain', 'Link Management', 'Get many campaigns');
		await editor.chooseCredential('new');
		const form = editor.credentialForm;

		await editor.saveCredential({ baseUrl, apiKey: 'no-such-key' });
		await form.getByText('Couldn’t connect with these settings').waitFor();
		await form.getByText('More details').click();
		await form.getByText("Link Management didn't accept the API key").waitFor();

		await editor.saveCredential({ apiKey });
		await form.waitFor({ state: 'hidden' });
		await editor.byTestId('credential-edit-button').click();
		await form.getByText('Connection tested successfully').waitFor();
		await editor.page.keyboard.press('Escape');
		await form.waitFor({ state: 'hidden' });
	});
});

describe('Panel', () => {
	it('the panel shows the fields of the selected resource and operation', async () => {
		await addToCanvas('branded domain', 'Link Management', 'Get many campaigns');
		await editor.choose('resource', 'Channel');
		await editor.choose('operation', 'Create');
		await editor.parameter('name').waitFor();
		expect((await editor.parameterNames()).slice(0, 5)).toEqual([
			'Resource',
			'Operation',
			'Name',
			'Additional Fields',
			'Options',
		]);
	});

	it('the panel fetches a trigger’s sample event', async () => {
		const [file] = stage.sandbox.links.state.files.newest(0, 1);
		await addToCanvas('new file', 'Link Management', 'On file created', 'links');
		expect(await editor.executeStep()).toBe('success');
		await editor.showAs('table');
		expect(await editor.output.innerText()).toContain(file?.name);
	});

	it('the panel shows what failed and what to check', async () => {
		await addToCanvas('branded domain', 'Link Management', 'Delete campaign', 'links');
		await editor.enterId('campaignId', '99999');
		expect(await editor.executeStep()).toBe('error');
		const shown = await editor.output.innerText();
		expect(shown).toContain('Campaign does not exist');
		expect(shown).toContain('Double-check the value of the parameter "Campaign" (99999)');
	});

	it('the example that shows how Enrich works has at least four rows on the screen', async () => {
		const { workflow } = await readExample('enrich-crm-rows');
		await editor.openWorkflow(await stage.api.createWorkflow(workflow));
		await editor.openNode('Look up the companies');
		await editor.showAs('table');
		expect(await rowsOnScreen()).toBeGreaterThanOrEqual(4);
	});

	it('a run of that example shows all twelve rows as soon as they’re collapsed', async () => {
		const { workflow } = await readExample('enrich-crm-rows');
		selectCredentials(workflow, stage.credentials);
		await editor.openWorkflow(
			await stage.api.createWorkflow({ ...workflow, id: 'run', pinData: {} }),
		);
		await editor.openNode('Look up the companies');
		expect(await editor.executeStep()).toBe('success');
		await editor.showAs('table');
		await editor.output.locator('th').first().hover();
		await editor.output.getByLabel('Collapse rows').first().click();
		await until('the rows to be collapsed', async () => (await rowsOnScreen()) === 12);
		// One notice, so that the table has room.
		expect(await editor.output.locator('[data-test-id=node-hint]').count()).toBe(1);
	});

	it('Enrich finds the companies of rows with common column names without a setting', async () => {
		const names = ['Ruscateza Vin', 'DORNSANI SOFT', 'Ostrulina Gastro'];
		const idnos = ['1001600900009', '1008600900008', '1011600900000'];
		const rows = [...names.map((Firma) => ({ Firma })), ...idnos.map((IDNO) => ({ IDNO }))];
		const parameters = { resource: 'company', operation: 'enrich' };
		const enrich = companyRegistry('Enrich', stage.credentials.registry, parameters);
		const workflow = chain('Enrich six rows', [...startWith(rows), enrich]);
		await editor.openWorkflow(await stage.api.createWorkflow(workflow));
		await editor.openNode('Enrich');
		expect(await editor.executeStep()).toBe('success');
		await editor.showAs('table');
		const statuses = (await editor.output.innerText()).match(/\b(found|notFound|ambiguous)\t/g);
		expect(statuses).toEqual(Array(6).fill('found\t'));
	});
});

/** How many of the output's rows can be seen as a whole. */
async function rowsOnScreen(): Promise<number> {
	const rows = editor.output.locator('tbody tr');
	await rows.first().waitFor();
	const panel = (await editor.output.boundingBox())!;
	const boxes = await Promise.all((await rows.all()).map(async (row) => await row.boundingBox()));
	const shown = boxes.filter(
		(box) => box && box.height > 10 && box.y + box.height <= panel.y + panel.height,
	);
	return shown.length;
}

async function addToCanvas(
	words: string,
	node: string,
	action: string,
	credential?: keyof SandboxCredentials,
): Promise<void> {
	await editor.openPalette();
	await editor.searchPalette(words, node);
	await editor.addAction(node, action);
	if (credential) await editor.chooseCredential(stage.credentials[credential].id);
}
