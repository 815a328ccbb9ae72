import { NodeHelpers, type INode, type INodeTypeDescription } from 'n8n-workflow';
import { readExamples } from '../../tools/examples';
import { aiAgent, tradeCheckAgent } from './support/exampleCases/agent';
import {
	backUpAndReport,
	bulkCreateCampaigns,
	invoiceLinkByMail,
	launchACampaign,
} from './support/exampleCases/links';
import {
	enrichCrmRows,
	nightlyHubSpot,
	nightlyPostgres,
	quotaGuard,
} from './support/exampleCases/registry';
import {
	airtableEnrich,
	dataTableWatch,
	enrichWithReview,
	googleDriveUpload,
	googleSheetsEnrich,
	pipedriveNightly,
	sheetsCampaigns,
	slackStatusAlert,
} from './support/exampleCases/services';
import {
	companiesToCrm,
	customerStatusAlert,
	watchCompanies,
	watchNewFiles,
	watchQrScans,
	weeklyQrReport,
} from './support/exampleCases/triggers';
import { ExampleScene, type ExampleCase } from './support/exampleScene';

/** What each file of examples/ must do, by its name. */
const CASES: Record<string, [does: string, assert: ExampleCase]> = {
	'airtable-enrich': ['completes new records once', airtableEnrich],
	'ai-agent': ['answers from both services, and acts', aiAgent],
	'back-up-and-report': ['uploads all the account holds', backUpAndReport],
	'bulk-create-campaigns': ['creates each campaign once and fills it', bulkCreateCampaigns],
	'companies-to-crm': ['carries a new status into the CRM’s table', companiesToCrm],
	'customer-status-alert': ['mails the changes that matter, and no others', customerStatusAlert],
	'data-table-watch': ['keeps the table up to date and emails changes', dataTableWatch],
	'enrich-crm-rows': ['finds the company of each row', enrichCrmRows],
	'enrich-with-review': ['asks about ambiguous rows and applies the answer', enrichWithReview],
	'google-drive-upload': ['returns the short link of a new file', googleDriveUpload],
	'google-sheets-enrich': ['completes new rows once', googleSheetsEnrich],
	'invoice-link-by-mail': ['mails the link of the uploaded PDF', invoiceLinkByMail],
	'launch-a-campaign': ['launches six products and tidies up', launchACampaign],
	'nightly-hubspot': ['updates the companies that changed', nightlyHubSpot],
	'nightly-postgres': ['updates the rows that changed', nightlyPostgres],
	'pipedrive-nightly': ['updates the organizations that changed', pipedriveNightly],
	'quota-guard': ['works while the quota lasts, and stops before it is gone', quotaGuard],
	'sheets-campaigns': ['creates a campaign per new row and writes its ID', sheetsCampaigns],
	'slack-status-alert': ['posts a changed status', slackStatusAlert],
	'trade-check-agent': ['answers while enough of the quota is left', tradeCheckAgent],
	'watch-companies': ['tells a changed status', watchCompanies],
	'watch-new-files': ['tells a new file', watchNewFiles],
	'watch-qr-scans': ['tells new scans', watchQrScans],
	'weekly-qr-report': ['mails the scans since the last report', weeklyQrReport],
};

let scene: ExampleScene;

beforeAll(async () => {
	scene = await ExampleScene.start();
});

afterAll(async () => await scene?.stage.cleanup.run());

it('has a case for every example', async () => {
	const names = (await readExamples()).map(({ name }) => name);
	expect(Object.keys(CASES).sort()).toEqual(names);
});

it('finds no issue in any node, and no parameter that n8n does not know', async () => {
	const types = await scene.stage.api.nodeTypes();
	const findings: string[] = [];
	for (const name of Object.keys(CASES)) {
		for (const node of scene.example(name).nodes) {
			const issues = issuesOf(node, types);
			findings.push(...issues.map((issue) => `${name}, ${node.name}: ${issue}`));
		}
	}
	expect(findings).toEqual([]);
});

describe('the example', () => {
	beforeEach(async () => await scene.reset());

	const rows = Object.entries(CASES).map(([name, [does, assert]]) => [name, does, assert] as const);

	it.each(rows)('%s %s', async (_name, _does, assert) => await assert(scene));
});

/** What the editor would mark red, or drop when the node is opened. */
function issuesOf(node: INode, types: INodeTypeDescription[]): string[] {
	const type = types.find(
		({ name, version }) => name === node.type && [version].flat().includes(node.typeVersion),
	);
	if (!type) return [`no node ${node.type} of version ${node.typeVersion}`];
	const { properties, credentials = [] } = type;
	// As the editor opens it: with the defaults of what the file leaves out.
	const parameters =
		NodeHelpers.getNodeParameters(properties, node.parameters, true, false, node, type) ?? {};
	const opened = { ...node, parameters };
	const unknown = missingFrom(parameters, node.parameters);
	const missing = NodeHelpers.getNodeParametersIssues(properties, opened, type)?.parameters ?? {};
	const needed = credentials.filter(
		(credential) =>
			credential.required &&
			NodeHelpers.displayParameter(parameters, credential, opened, type) &&
			!node.credentials?.[credential.name],
	);
	return [
		...unknown.map((name) => `unknown parameter ${name}`),
		...Object.values(missing).flat(),
		...needed.map((credential) => `no credential ${credential.name}`),
	];
}

/** Paths that `value` has and `reference` doesn't, such as `fileFields.expiry`. */
function missingFrom(reference: unknown, value: unknown): string[] {
	if (typeof value !== 'object' || value === null) return [];
	const known = (reference ?? {}) as Record<string, unknown>;
	return Object.entries(value).flatMap(([key, part]) =>
		key in known ? missingFrom(known[key], part).map((path) => `${key}.${path}`) : [key],
	);
}
