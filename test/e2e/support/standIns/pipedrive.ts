import type { StandIn } from './standIn';

export interface Organization {
	id: number;
	name: string;
	/** By the field's key, as Pipedrive stores them. */
	custom_fields: Record<string, string | null>;
}

/** Keys of the custom fields by their names; real ones are 40 characters long. */
export const PIPEDRIVE_FIELDS = {
	IDNO: 'a'.repeat(40),
	'Registry status': 'b'.repeat(40),
	Rating: 'c'.repeat(40),
};

/** Organizations of Pipedrive. */
export class Pipedrive implements StandIn {
	readonly hosts = ['api.pipedrive.com'];
	readonly organizations: Organization[] = [];
	/** Ids of the organizations that were updated, in the order of the updates. */
	readonly updated: number[] = [];

	reset() {
		this.organizations.length = 0;
		this.updated.length = 0;
	}

	addRoutes: StandIn['addRoutes'] = (app) => {
		const answer = (data: unknown) => ({ success: true, data, additional_data: {} });
		app.get('/api/v2/organizationFields', (_req, res) => {
			const fields = Object.entries(PIPEDRIVE_FIELDS).map(([field_name, field_code]) => ({
				field_name,
				field_code,
				field_type: 'varchar',
			}));
			res.json(answer(fields));
		});
		app.get('/api/v2/organizations', (_req, res) => void res.json(answer(this.organizations)));
		app.patch('/api/v2/organizations/:id', (req, res) => {
			const organization = this.organizations.find(({ id }) => id === Number(req.params.id));
			if (!organization) return void res.status(404).json({ success: false, error: 'Not found' });
			const { custom_fields } = req.body as Pick<Organization, 'custom_fields'>;
			Object.assign(organization.custom_fields, custom_fields);
			this.updated.push(organization.id);
			res.json(answer(organization));
		});
	};
}
