import type { StandIn } from './standIn';

export interface AirtableRecord {
	id: string;
	fields: Record<string, unknown>;
}

/** One table of Airtable. */
export class Airtable implements StandIn {
	readonly hosts = ['api.airtable.com'];
	readonly records: AirtableRecord[] = [];
	/** The formulas by which records were searched. */
	readonly formulas: string[] = [];

	reset() {
		this.records.length = 0;
		this.formulas.length = 0;
	}

	addRoutes: StandIn['addRoutes'] = (app) => {
		app.get('/v0/:base/:table', (req, res) => {
			this.formulas.push(String(req.query.filterByFormula));
			// The only formula of the examples: rows that were not checked yet.
			const records = this.records.filter(({ fields }) => !fields.Checked);
			res.json({ records: records.map((record) => ({ ...record, createdTime: '2030-01-01' })) });
		});
		app.patch('/v0/:base/:table', (req, res) => {
			const updates = (req.body as { records: AirtableRecord[] }).records;
			for (const { id, fields } of updates) {
				const record = this.records.find((each) => each.id === id);
				if (!record) return void res.status(404).json({ error: 'NOT_FOUND' });
				Object.assign(record.fields, fields);
			}
			res.json({ records: updates });
		});
	};
}
