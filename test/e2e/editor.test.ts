import { chain, startWith, type NodeDraft } from '../../tools/stage/workflows';
import { Editor } from './support/editor';
import {
	credentialData,
	OWNER,
	startStage,
	type SandboxCredentials,
	type Stage,
} from './support/stage';

/** Converts the item's text to a file. */
const TEXT_FILE: NodeDraft = {
	name: 'File',
	type: 'n8n-nodes-base.convertToFile',
	typeVersion: 1.1,
	parameters: {
		operation: 'toText',
		sourceProperty: 'content',
		options: { fileName: 'hello.txt' },
	},
};

const AGENT: NodeDraft[] = [
	{ name: 'Chat', type: '@n8n/n8n-nodes-langchain.chatTrigger', webhookId: 'clicks' },
	{ name: 'Agent', type: '@n8n/n8n-nodes-langchain.agent', typeVersion: 3 },
];

let stage: Stage;
let editor: Editor;

beforeAll(async () => {
	stage = await startStage();
	editor = await Editor.open(stage.n8n.url, OWNER);
	stage.cleanup.add(async () => await editor.close());
});

afterAll(async () => await stage?.cleanup.run());

beforeEach(() => stage.sandbox.reset());

// Shows how each test ended, whether it passed or failed.
afterEach(async () => await editor.screenshot(`end of ${expect.getState().currentTestName}`));

describe('Palette', () => {
	it.each([
		{
			node: 'Link Management',
			words: [
				...['branded domain', 'tracking pixel', 'QR', 'short url', 'url shortener', 'shorten'],
				...['link scurt', 'cod qr', 'короткая ссылка', 'qr-код'],
				...['upload file', 'file uploaded', 'new file', 'file downloaded'],
			],
			events: [
				...['On file created', 'On file downloaded', 'On item added to channel'],
				...['On QR code created', 'On QR code scanned'],
			],
		},
		{
			node: 'Company Registry',
			words: [
				...['Moldova', 'IDNO', 'company', 'company status', 'credit rating'],
				...['lead enrichment', 'watch company', 'status change', 'enrich crm'],
				...['firma', 'companie', 'cod fiscal', 'фирма', 'реестр', 'rating de credit'],
			],
			events: ['On company status changed', 'On new company found'],
		},
	])('the palette finds $node by its uses, and lists its triggers', async (entry) => {
		const { node, words, events } = entry;
		await editor.newWorkflow();
		await editor.openPalette();
		for (const word of words) {
			const found = await editor.searchPalette(word, node);
			expect([word, await found.count()]).toEqual([word, 1]);
			const icon = found.locator('img').first();
			const width = await icon.evaluate(
				(image) => (image as { naturalWidth?: number }).naturalWidth,
			);
			expect(width).toBeGreaterThan(0);
		}
		expect((await editor.triggersOf(node)).sort()).toEqual(events.sort());
	});
});

describe('Credential form', () => {
	beforeEach(async () => await editor.newWorkflow());

	it('the credential form explains a wrong key, and accepts the right one', async () => {
		const { baseUrl, apiKey } = credentialData(stage.sandbox).links;
		await addToCanvas('branded domain', 'Link Management', 'Get many campaigns');
		const form = await editor.newCredential();

		await editor.saveCredential({ baseUrl, apiKey: 'no-such-key' });
		await form.getByText('Couldn’t connect with these settings').waitFor();
		await form.getByText('More details').click();
		await form.getByText('Link Management did not accept the API key').waitFor();

		await editor.saveCredential({ apiKey });
		await form.waitFor({ state: 'hidden' });
		await editor.editCredential();
		await form.getByText('Connection tested successfully').waitFor();
		await editor.closeCredential();
	});

	it('the credential shows the plans of the selected API variant', async () => {
		await addToCanvas('Moldova', 'Company Registry', 'Search companies by name');
		await editor.newCredential();
		expect(await editor.chosen('plan')).toBe('Developer Free (10 per Minute, 100 per Day)');
		await editor.choose('variant', 'Unversioned');
		await editor.choose('plan', 'Premium (60 per Minute, 5000 per Day)');
	});
});

describe('Panel', () => {
	beforeEach(async () => await editor.newWorkflow());

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

	it('the panel fetches a trigger’s test event', async () => {
		const [file] = stage.sandbox.links.state.files.slice('newest-first', 0, 1);
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
});

describe('Clicks per task', () => {
	const links = 'Link Management';
	const registry = 'Company Registry';

	job('list the QR codes', 4, startWith([{}]), async () => {
		await addToCanvas('QR', links, 'Get many QR codes with scans', 'links');
		await execute('50 items');
	});

	job('create a campaign with a name', 4, startWith([{}]), async () => {
		await addToCanvas('campaign', links, 'Create campaign', 'links');
		await editor.fill('campaignName', 'Spring sale');
		await execute('Spring sale');
	});

	const offers = [1, 2, 3, 4, 5].map((each) => ({ name: `Offer ${each}`, slug: `offer-${each}` }));
	job('create or update five campaigns with slug and access', 6, startWith(offers), async () => {
		await addToCanvas('campaign', links, 'Create or update campaign', 'links');
		await editor.fillExpression('campaignName', '{{ $json.name }}');
		await editor.fillExpression('slug', '{{ $json.slug }}');
		await editor.choose('public', 'Yes');
		await execute('5 items');
		const written = stage.sandbox.links.requests.map(({ body }) => body).filter(Boolean);
		expect(written).toEqual(offers.map((offer) => ({ ...offer, public: true })));
	});

	const file = [...startWith([{ content: 'Hello' }]), TEXT_FILE];
	job('upload a file', 4, file, async () => {
		await addToCanvas('upload file', links, 'Upload file and get short link', 'links');
		await execute('hello.txt');
	});

	job('get a credit rating by company name', 6, startWith([{}]), async () => {
		const action = 'Get credit rating and limit';
		await addToCanvas('credit rating', registry, action, 'registry');
		const [company] = stage.sandbox.registry.v1.state.all();
		const label = await editor.chooseFromList('idno', String(company?.name));
		expect(label).toContain(`(${company?.idno})`);
		// The list costs one request, as the panel says.
		await editor.panel.getByText('Each search costs one request').waitFor();
		expect(stage.sandbox.registry.v1.requests).toHaveLength(1);
		await execute('rating');
	});

	const customers = [
		...['Ruscateza Vin', 'DORNSANI SOFT', 'Ostrulina Gastro'].map((name) => ({ name })),
		...['1001600900009', '1008600900008', '1011600900000'].map((idno) => ({ idno })),
	];
	job('enrich six rows with common column names', 4, startWith(customers), async () => {
		const action = 'Enrich rows with company data';
		await addToCanvas('enrich', registry, action, 'registry');
		await execute('6 items');
		await editor.uncounted(async () => await editor.showAs('table'));
		const statuses = (await editor.output.innerText()).match(/\b(found|notFound|ambiguous)\t/g);
		expect(statuses).toEqual(Array(6).fill('found\t'));
	});

	job('watch three companies and publish', 14, [], async () => {
		await addToCanvas('watch company', registry, 'On company status changed', 'registry');
		const companies = stage.sandbox.registry.v1.state.all().slice(0, 3);
		for (const [index, { name }] of companies.entries()) {
			if (index > 0) await editor.addEntry();
			await editor.chooseFromList('idno', name);
		}
		await editor.publish();
	});

	job('let an agent get credit ratings', 5, AGENT, async () => {
		await editor.addTool('credit rating', registry);
		await chooseCredential('registry');
		await editor.choose('resource', 'Credit Recommendation');
		await editor.letModelFill('idno');
	});

	function job(title: string, clicks: number, nodes: NodeDraft[], work: () => Promise<void>): void {
		it(`takes ${clicks} clicks to ${title}`, async () => {
			if (nodes.length === 0) await editor.newWorkflow();
			else await editor.openWorkflow(await stage.api.createWorkflow(chain(title, nodes)));
			await work();
			expect(await editor.clicks()).toBe(clicks);
		});
	}

	async function execute(shown: string): Promise<void> {
		expect(await editor.executeStep()).toBe('success');
		expect(await editor.output.innerText()).toContain(shown);
	}
});

async function addToCanvas(
	words: string,
	node: string,
	action: string,
	credential?: keyof SandboxCredentials,
): Promise<void> {
	await editor.openPalette();
	await editor.searchPalette(words, node);
	await editor.addAction(node, action);
	if (credential) await chooseCredential(credential);
}

/** Not counted, because n8n selects a type's only credential automatically. */
async function chooseCredential(credential: keyof SandboxCredentials): Promise<void> {
	await editor.uncounted(async () => {
		await editor.chooseCredential(stage.credentials[credential]);
	});
}
