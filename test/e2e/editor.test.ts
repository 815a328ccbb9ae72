import { chain, startWith, type NodeDraft } from '../../tools/stage/workflows';
import { Editor } from './support/editor';
import {
	credentialData,
	OWNER,
	startStage,
	type SandboxCredentials,
	type Stage,
} from './support/stage';

/** Turns a text into a file. */
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

beforeEach(async () => {
	stage.sandbox.reset();
	await editor.newWorkflow();
});

// Shows how a test ended, whichever way.
afterEach(async () => await editor.screenshot(`end of ${expect.getState().currentTestName}`));

describe('the palette', () => {
	it.each([
		[
			'Link Management',
			[
				...['branded domain', 'tracking pixel', 'QR', 'short url', 'url shortener', 'shorten'],
				...['upload file', 'file uploaded', 'new file', 'file downloaded'],
			],
		],
		[
			'Company Registry',
			[
				...['Moldova', 'IDNO', 'company', 'company status', 'credit rating'],
				...['lead enrichment', 'watch company'],
			],
		],
	])('finds %s by %j', async (node, words) => {
		for (const word of words) {
			const found =
				word === words[0]
					? await editor.findInPalette(word, node)
					: await editor.searchPalette(word, node);
			await editor.screenshot(`palette ${word}`);
			expect([word, await found.count()]).toEqual([word, 1]);
			const icon = found.locator('img').first();
			const width = await icon.evaluate(
				(image) => (image as { naturalWidth?: number }).naturalWidth,
			);
			expect(width).toBeGreaterThan(0);
		}
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
});

describe('clicks per job', () => {
	const links = 'Link Management';
	const registry = 'Company Registry';

	job('list the QR codes', 4, startWith([{}]), async () => {
		await addToCanvas('QR', links, 'Get many QR codes with scan counts', 'links');
		await execute('50 items');
	});

	job('create a campaign with a name', 4, startWith([{}]), async () => {
		await addToCanvas('campaign', links, 'Create campaign', 'links');
		await editor.fill('campaignName', 'Spring sale');
		await execute('Spring sale');
	});

	const offers = [1, 2, 3, 4, 5].map((each) => ({ name: `Offer ${each}`, slug: `offer-${each}` }));
	job('create or update five campaigns with slug and access', 6, startWith(offers), async () => {
		await addToCanvas('campaign', links, 'Create or update campaign by name', 'links');
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

	job('get a credit rating by the name of a company', 6, startWith([{}]), async () => {
		const action = 'Get credit rating and limit by IDNO or name';
		await addToCanvas('credit rating', registry, action, 'registry');
		const [company] = stage.sandbox.registry.v1.state.all();
		await editor.chooseFromList('idno', String(company?.name));
		await execute('rating');
	});

	const customers = [
		...['Ruscateza Vin', 'DORNSANI SOFT', 'Ostrulina Gastro'].map((name) => ({ name })),
		...['1001600900009', '1008600900008', '1011600900000'].map((idno) => ({ idno })),
	];
	job('enrich six rows with usual names of columns', 4, startWith(customers), async () => {
		const action = 'Find company by name or IDNO and add its data';
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
		it(`${title}: ${clicks}`, async () => {
			if (nodes.length > 0) {
				await editor.openWorkflow(await stage.api.createWorkflow(chain(title, nodes)));
			}
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
	await editor.findInPalette(words, node);
	await editor.addAction(node, action);
	if (credential) await chooseCredential(credential);
}

/** Not counted: n8n selects the only credential of a type by itself. */
async function chooseCredential(credential: keyof SandboxCredentials): Promise<void> {
	await editor.uncounted(async () => {
		await editor.chooseCredential(stage.credentials[credential]);
	});
}
