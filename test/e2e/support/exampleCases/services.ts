import type { Company } from '../../../../sandbox';
import { until } from '../../../../tools/host';
import type { ExampleCase, ExampleScene } from '../exampleScene';
import { outputsOf } from '../exampleScene';
import { PIPEDRIVE_FIELDS } from '../standIns/pipedrive';

/** An IDNO that could exist, of a company that does not. */
const UNKNOWN_IDNO = '1003600015231';

/** Three companies without namesakes. */
const IDNOS = ['1000600900002', '1003600900003', '1004600900000'];

function companiesIn({ stage }: ExampleScene): [Company, Company, Company] {
	const { state } = stage.sandbox.registry.v1;
	const [first, second, third] = IDNOS.map((idno) => state.get(idno));
	if (!first || !second || !third) throw new Error('The sandbox has other companies');
	return [first, second, third];
}

/** Requests to the registry so far. */
function lookUps({ stage }: ExampleScene): number {
	return stage.sandbox.registry.v1.requests.length;
}

export const googleSheetsEnrich: ExampleCase = async (scene) => {
	const [known, named] = companiesIn(scene);
	const { google } = scene.standIns;
	google.sheets.Customers = [
		['name', 'idno', 'status', 'rating', 'remark', 'checked'],
		['Known', known.idno, '', '', '', ''],
		[named.name, '', '', '', '', ''],
		['', UNKNOWN_IDNO, '', '', '', ''],
		['Checked before', known.idno, 'active', 'A', '', '2030-01-01'],
	];

	await scene.importAndRun('google-sheets-enrich');

	const rows = google.rowsOf('Customers');
	const { idno, status, rating } = named;
	expect(rows).toMatchObject([
		{ name: 'Known', idno: known.idno, status: known.status, rating: known.rating, remark: '' },
		{ name: named.name, idno, status, rating },
		{ idno: UNKNOWN_IDNO, status: '', remark: expect.stringContaining(UNKNOWN_IDNO) as unknown },
		{ name: 'Checked before', rating: 'A', checked: '2030-01-01' },
	]);
	expect(rows.every(({ checked }) => /^\d{4}-\d\d-\d\d$/.test(String(checked)))).toBe(true);

	const before = lookUps(scene);
	await scene.run('google-sheets-enrich');
	expect(lookUps(scene)).toBe(before);
};

export const sheetsCampaigns: ExampleCase = async (scene) => {
	const { google } = scene.standIns;
	const { links } = scene.stage.sandbox;
	const existing = links.control.addRow('campaigns', { name: 'Members only' });
	const before = links.state.campaigns.size;
	google.sheets.Campaigns = [
		['name', 'slug', 'campaign_id', 'list'],
		['Spring sale', 'spring', '', ''],
		['Done before', '', 7, 'https://example.com/list'],
		['Members only', '', '', ''],
		['Last chance', '', '', ''],
	];

	await scene.importAndRun('sheets-campaigns');

	const added = links.state.campaigns.all().slice(before);
	expect(added.map(({ name }) => name).sort()).toEqual(['Last chance', 'Spring sale']);
	const idOf = (name: string) => added.find((campaign) => campaign.name === name)?.id;
	expect(google.rowsOf('Campaigns')).toMatchObject([
		{ campaign_id: idOf('Spring sale'), list: expect.stringContaining('http') as unknown },
		{ campaign_id: 7, list: 'https://example.com/list' },
		{ campaign_id: existing.id },
		{ campaign_id: idOf('Last chance') },
	]);

	await scene.run('sheets-campaigns');
	expect(links.state.campaigns.size).toBe(before + 2);
};

export const airtableEnrich: ExampleCase = async (scene) => {
	const [known, named] = companiesIn(scene);
	const { records, formulas } = scene.standIns.airtable;
	records.push(
		{ id: 'rec00000000000001', fields: { Name: 'Known', IDNO: known.idno } },
		{ id: 'rec00000000000002', fields: { Name: named.name } },
		{ id: 'rec00000000000003', fields: { IDNO: UNKNOWN_IDNO } },
	);

	await scene.importAndRun('airtable-enrich');

	expect(formulas).toEqual(['NOT({Checked})']);
	const Checked = expect.stringMatching(/^\d{4}-\d\d-\d\d$/) as unknown;
	expect(records.map(({ fields }) => fields)).toMatchObject([
		{ Name: 'Known', Status: known.status, Rating: known.rating, Remark: '', Checked },
		{ Name: named.name, IDNO: named.idno, Status: named.status, Rating: named.rating, Checked },
		{ IDNO: UNKNOWN_IDNO, Status: '', Checked },
	]);

	const before = lookUps(scene);
	await scene.run('airtable-enrich');
	expect(lookUps(scene)).toBe(before);
};

export const pipedriveNightly: ExampleCase = async (scene) => {
	const [current, changing, nameless] = companiesIn(scene);
	const { organizations, updated } = scene.standIns.pipedrive;
	const { IDNO, 'Registry status': STATUS, Rating: RATING } = PIPEDRIVE_FIELDS;
	const organization = (id: number, name: string, { idno, status, rating }: Partial<Company>) => ({
		id,
		name,
		custom_fields: { [IDNO]: idno ?? null, [STATUS]: status ?? null, [RATING]: rating ?? null },
	});
	organizations.push(
		organization(1, current.name, current),
		organization(2, changing.name, { ...changing, status: 'active', rating: 'D' }),
		organization(3, nameless.name, {}),
		organization(4, 'Nobody of the Kind', {}),
	);
	scene.stage.sandbox.registry.v1.control.update(changing.idno, { status: 'suspended' });

	await scene.importAndRun('pipedrive-nightly');

	expect(updated).toEqual([2, 3]);
	expect(organizations[1]?.custom_fields).toMatchObject({
		[STATUS]: 'suspended',
		[RATING]: changing.rating,
	});
	expect(organizations[2]?.custom_fields).toEqual({
		[IDNO]: nameless.idno,
		[STATUS]: nameless.status,
		[RATING]: nameless.rating,
	});

	await scene.run('pipedrive-nightly');
	expect(updated).toEqual([2, 3]);
};

export const slackStatusAlert: ExampleCase = async (scene) => {
	const [first] = companiesIn(scene);
	const { messages } = scene.standIns.slack;
	await scene.publish('slack-status-alert');

	scene.stage.sandbox.registry.v1.control.update(first.idno, { status: 'suspended' });

	await until('the message', () => messages.length > 0);
	expect(messages).toMatchObject([
		{
			channel: '#accounting',
			text: expect.stringContaining(
				`*${first.name}* (IDNO ${first.idno}): status changed from active to suspended`,
			) as unknown,
		},
	]);
};

export const googleDriveUpload: ExampleCase = async (scene) => {
	const { files } = scene.standIns.google;
	const { state } = scene.stage.sandbox.links;
	await scene.publish('google-drive-upload');

	const createdTime = new Date(Date.now() + 2_000).toISOString();
	const file = { id: 'drive-file-1', name: 'price list.pdf', mimeType: 'application/pdf' };
	files.push({ ...file, createdTime, content: '%PDF-1.7 prices' });

	const [link] = await scene.firstOutputs('google-drive-upload', 'The short link');
	const uploaded = state.files.slice('newest-first', 0, 1)[0];
	expect(uploaded?.name).toContain('price list');
	expect(link).toEqual({ file: 'price list.pdf', link: uploaded?.shorturl });
};

const WATCH_LIST = 'Company watch list';

export const enrichWithReview: ExampleCase = async (scene) => {
	const { api, sandbox } = scene.stage;
	const { state } = sandbox.registry.v1;
	const [certain] = companiesIn(scene);
	const namesakes = ['1000000000018', '1000000000029'].map((idno) =>
		state.add({ idno, name: 'Zefirul Unic SRL', status: 'active' }),
	);
	const { id: projectId } = await api.get<{ id: string }>('/rest/projects/personal');
	const tables = `/rest/projects/${projectId}/data-tables`;
	const columns = ['name', 'city', 'idno', 'status', 'question', 'answer'].map((name) => ({
		name,
		type: 'string',
	}));
	const { id } = await api.post<{ id: string }>(tables, { name: 'Customers to check', columns });
	const data = [{ answer: certain.idno }, { name: 'Zefirul Unic' }];
	await api.post(`${tables}/${id}/insert`, { data, returnType: 'count' });
	const rows = async () =>
		(
			await api.get<{ data: Array<{ id: number; question: string }> }>(
				`${tables}/${id}/rows?sortBy=id:asc`,
			)
		).data;

	await scene.importAndRun('enrich-with-review');
	expect(await rows()).toMatchObject([
		{ idno: certain.idno, status: certain.status, question: '' },
		{ idno: '', question: expect.stringContaining('2 companies match equally well') as unknown },
	]);
	const [, asked] = await rows();
	for (const { idno } of namesakes) expect(asked?.question).toContain(idno);

	const filter = {
		type: 'and',
		filters: [{ columnName: 'id', condition: 'eq', value: asked?.id }],
	};
	await api.patch(`${tables}/${id}/rows`, { filter, data: { answer: namesakes[1]!.idno } });
	await scene.run('enrich-with-review');
	expect(await rows()).toMatchObject([
		{ idno: certain.idno },
		{ idno: namesakes[1]!.idno, status: 'active', question: '', answer: '' },
	]);
};

export const dataTableWatch: ExampleCase = async (scene) => {
	const [first, second] = companiesIn(scene);
	const { api, sandbox } = scene.stage;
	const { mails } = scene.mailServer;
	const { id: projectId } = await api.get<{ id: string }>('/rest/projects/personal');
	const tables = `/rest/projects/${projectId}/data-tables`;
	const columns = ['idno', 'name', 'status'].map((name) => ({ name, type: 'string' }));
	const { id } = await api.post<{ id: string }>(tables, { name: WATCH_LIST, columns });
	const data = [first, second].map(({ idno }) => ({ idno }));
	await api.post(`${tables}/${id}/insert`, { data, returnType: 'count' });
	const rows = async () =>
		(await api.get<{ data: object[] }>(`${tables}/${id}/rows?sortBy=id:asc`)).data;

	await scene.importAndRun('data-table-watch');
	expect(await rows()).toMatchObject([
		{ idno: first.idno, name: first.name, status: first.status },
		{ idno: second.idno, name: second.name, status: second.status },
	]);
	expect(mails).toEqual([]);

	const { status } = second;
	sandbox.registry.v1.control.update(second.idno, { status: 'in_liquidation' });
	await scene.run('data-table-watch');
	expect(await rows()).toMatchObject([{ status: first.status }, { status: 'in_liquidation' }]);
	const [mail] = await until('the email', () => mails.length > 0 && mails);
	expect(mail?.subject).toBe(`${second.name}: in_liquidation`);
	expect(mail?.html).toContain(`from ${status} to in_liquidation`);

	expect(outputsOf(await scene.run('data-table-watch'))('Update the watch list')).toEqual([]);
	expect(mails).toHaveLength(1);
};
