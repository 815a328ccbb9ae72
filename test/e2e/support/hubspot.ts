import { join } from 'node:path';
import { startJsonServer, type JsonServer } from './jsonServer';

/** Loaded into n8n by `--require`. */
const HOOK = join(__dirname, 'hubspotElsewhere.cjs');

export interface HubSpotCompany {
	companyId: number;
	properties: Record<string, { value: string }>;
}

export interface HubSpot extends JsonServer {
	companies: HubSpotCompany[];
	/** Ids of the companies that were updated, in the order of the updates. */
	updated: number[];
	/** What n8n's environment needs, so that its HubSpot node, whose address is fixed, comes here. */
	env: NodeJS.ProcessEnv;
}

interface Update {
	properties: Array<{ name: string; value: string }>;
}

/** The part of HubSpot's companies that n8n's HubSpot node reads and updates. */
export async function startHubSpot(): Promise<HubSpot> {
	const companies: HubSpotCompany[] = [];
	const updated: number[] = [];
	const server = await startJsonServer((app) => {
		app.get('/companies/v2/companies/paged', (req, res) => {
			const wanted = [req.query.properties ?? []].flat().map(String);
			res.json({
				companies: companies.map(({ companyId, properties }) => ({
					portalId: 1,
					companyId,
					// HubSpot shows the properties that were asked for, where they have a value.
					properties: pick(properties, wanted),
				})),
				'has-more': false,
				offset: 0,
			});
		});
		app.put('/companies/v2/companies/:id', (req, res) => {
			const company = companies.find(({ companyId }) => companyId === Number(req.params.id));
			if (!company) return void res.status(404).json({ message: 'No such company' });
			for (const { name, value } of (req.body as Update).properties) {
				company.properties[name] = { value };
			}
			updated.push(company.companyId);
			res.json(company);
		});
	});
	return {
		...server,
		companies,
		updated,
		env: { NODE_OPTIONS: `--require=${JSON.stringify(HOOK)}`, HUBSPOT_URL: server.url },
	};
}

function pick<T>(record: Record<string, T>, names: string[]): Record<string, T> {
	return Object.fromEntries(Object.entries(record).filter(([name]) => names.includes(name)));
}
