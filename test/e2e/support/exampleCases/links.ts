import { createHash } from 'node:crypto';
import type { ExampleCase } from '../exampleScene';
import { outputsOf } from '../exampleScene';

const MOST_SCANNED = 3;

export const launchACampaign: ExampleCase = async (scene) => {
	const { links } = scene.stage.sandbox;
	const campaignsBefore = links.state.campaigns.size;

	const outputs = await scene.importAndRun('launch-a-campaign');

	const launched = outputs('Launched products');
	expect(launched.map(({ name, link }) => [name, link])).toEqual([
		['Trail shoes', 11],
		['Rain jacket', 12],
		['Day pack', 13],
		['Head torch', 14],
		['Water bottle', 15],
		['Trekking poles', 16],
	]);
	expect(launched[0]?.rotator).toMatch(/\/r\/trail-shoes$/);
	const inChannel = outputs('List the channel’s items');
	expect(inChannel.map(({ id }) => id).sort()).toEqual([11, 12, 13, 14, 15, 16]);
	expect(new Set(inChannel.map(({ type }) => type))).toEqual(new Set(['links']));
	// As the example's note tells.
	expect(links.requests).toHaveLength(41);
	// The fourth part of the example tidies up.
	expect(links.state.campaigns.size).toBe(campaignsBefore);
	expect(links.state.domains.all().map(({ domain }) => domain)).not.toContain(
		'https://launch.shop.example',
	);
};

export const backUpAndReport: ExampleCase = async (scene) => {
	const { state } = scene.stage.sandbox.links;

	const outputs = await scene.importAndRun('back-up-and-report');

	const [everything] = outputs('Put everything together');
	expect(everything).toMatchObject({ account: { email: state.account.email } });
	expect(everything?.campaigns).toHaveLength(state.campaigns.size);
	expect(everything?.qrCodes).toHaveLength(state.qrs.size);
	const [backup] = state.files.slice('newest-first', 0, 1);
	expect(backup).toMatchObject({ name: 'Link backup', upload: { filename: 'link-backup.json' } });
	const bytes = Buffer.byteLength(JSON.stringify([everything]));
	expect(backup?.upload?.bytes).toBeGreaterThanOrEqual(bytes);
	const most = state.qrs.all().sort((a, b) => b.scans - a.scans);
	expect(outputs('Report')).toEqual(
		most.slice(0, MOST_SCANNED).map(({ name, scans }, index) => ({
			rank: index + 1,
			qrCode: name,
			scans,
			backup: backup?.shorturl,
			file: 'Link backup',
		})),
	);
};

export const bulkCreateCampaigns: ExampleCase = async (scene) => {
	const { links } = scene.stage.sandbox;
	const known = links.control.addRow('campaigns', { name: 'Members only' });
	const campaignsBefore = links.state.campaigns.size;
	const sent = (path: RegExp) => links.requests.filter((request) => path.test(request.path)).length;

	await scene.importAndRun('bulk-create-campaigns');

	const added = links.state.campaigns.all().slice(campaignsBefore);
	const names = added.map(({ name }) => name).sort();
	expect(names).toEqual(['Last chance', 'New collection', 'Spring sale']);
	const idOf = (name: string) => added.find((campaign) => campaign.name === name)?.id;
	const campaignOf = (link: number) => links.state.links.get(link)?.campaignId;
	expect([21, 22, 23, 28].map(campaignOf)).toEqual(Array(4).fill(idOf('Spring sale')));
	expect([24, 25].map(campaignOf)).toEqual(Array(2).fill(idOf('New collection')));
	expect([26, 27].map(campaignOf)).toEqual(Array(2).fill(known.id));
	expect(campaignOf(29)).toBe(idOf('Last chance'));
	expect(sent(/campaign\/add$/)).toBe(3);
	// The row that stands twice counts once.
	expect(sent(/assign/)).toBe(9);

	outputsOf(await scene.run('bulk-create-campaigns'));

	expect(links.state.campaigns.size).toBe(campaignsBefore + 3);
	expect(sent(/campaign\/add$/)).toBe(3);
};

export const invoiceLinkByMail: ExampleCase = async (scene) => {
	const { files } = scene.stage.sandbox.links.state;

	const outputs = await scene.importAndRun('invoice-link-by-mail');

	const [file] = files.slice('newest-first', 0, 1);
	const pdf = Buffer.from(String(outputs('The invoice')[0]?.pdf), 'base64');
	expect(pdf.toString('latin1')).toMatch(/^%PDF-/);
	expect(file).toMatchObject({
		name: 'Invoice 2030-017',
		upload: {
			filename: 'invoice-2030-017.pdf',
			contentType: 'application/pdf',
			bytes: pdf.length,
			sha256: createHash('sha256').update(pdf).digest('hex'),
			expiry: expect.stringMatching(/^\d{4}-\d\d-\d\d$/),
		},
	});
	const [mail, ...others] = scene.mailServer.mails;
	expect(others).toEqual([]);
	expect(mail?.to).toEqual([expect.objectContaining({ address: 'office@garden-cafe.example' })]);
	expect(mail?.subject).toBe('Invoice 2030-017');
	expect(mail?.html).toContain(`<a href="${file?.shorturl}">${file?.shorturl}</a>`);
	expect(mail?.html).toContain('1,240.00 EUR');
};
