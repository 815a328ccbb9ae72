import type { StandIn } from './standIn';

export interface HubSpotCompany {
	companyId: number;
	properties: Record<string, { value: string }>;
}

interface Update {
	properties: Array<{ name: string; value: string }>;
}

/** Companies of HubSpot. */
export class HubSpot implements StandIn {
	readonly hosts = ['api.hubapi.com'];
	readonly companies: HubSpotCompany[] = [];
	/** Ids of the companies that were updated, in the order of the updates. */
	readonly updated: number[] = [];

	reset() {
		this.companies.length = 0;
		this.updated.length = 0;
	}

	addRoutes: StandIn['addRoutes'] = (app) => {
		app.get('/companies/v2/companies/paged', (req, res) => {
			const wanted = [req.query.properties ?? []].flat().map(String);
			res.json({
				companies: this.companies.map(({ companyId, properties }) => ({
					portalId: 1,
					companyId,
					// HubSpot returns the requested properties that have a value.
					properties: pick(properties, wanted),
				})),
				'has-more': false,
				offset: 0,
			});
		});
		app.put('/companies/v2/companies/:id', (req, res) => {
			const company = this.companies.find(({ companyId }) => companyId === Number(req.params.id));
			if (!company) return void res.status(404).json({ message: 'No such company' });
			for (const { name, value } of (req.body as Update).properties) {
				company.properties[name] = { value };
			}
			this.updated.push(company.companyId);
			res.json(company);
		});
	};
}

function pick<T>(record: Record<string, T>, names: string[]): Record<string, T> {
	return Object.fromEntries(Object.entries(record).filter(([name]) => names.includes(name)));
}
