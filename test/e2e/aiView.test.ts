import { provideHost } from '../../tools/host';
import { aiView, type AiView } from './support/aiView';

let view: AiView;

beforeAll(async () => {
	view = await aiView(await provideHost());
});

it.each([
	['company registry', 'companyRegistry'],
	['company status', 'companyRegistryTrigger'],
	['credit rating', 'companyRegistry'],
	['enrich', 'companyRegistry'],
	['short link', 'linkManagement'],
	['QR codes', 'linkManagement'],
	['file uploaded', 'linkManagementTrigger'],
])('an AI builder that searches for "%s" finds %s', (question, node) => {
	expect(view.search(question)).toContain(node);
});

it('an AI builder reads each node’s entry in the catalog', () => {
	for (const { entry } of Object.values(view.texts)) expect(entry).toMatchSnapshot();
});

/** The types that matter most; those of all 44 operations would fill a book. */
it.each([
	['companyRegistry', 'CompanyRegistryV1CompanyEnrichParams'],
	['companyRegistry', 'CompanyRegistryV1CompanyGetParams'],
	['companyRegistry', 'CompanyRegistryV1CreditRecommendationGetParams'],
	['linkManagement', 'LinkManagementV1FileUploadParams'],
])('an AI builder gets types of %s: %s', (node, name) => {
	const declaration = new RegExp(`^export type ${name} = \\{[^]*?^\\};`, 'm');
	expect(declaration.exec(view.texts[node]!.types)?.[0]).toMatchSnapshot();
});

it.each(['companyRegistryTrigger', 'linkManagementTrigger'])(
	'an AI builder gets types of %s',
	(node) => expect(view.texts[node]!.types).toMatchSnapshot(),
);
