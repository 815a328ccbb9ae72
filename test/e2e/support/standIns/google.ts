import type { StandIn } from './standIn';

type Row = Array<string | number | boolean>;

export interface DriveFile {
	id: string;
	name: string;
	mimeType: string;
	createdTime: string;
	content: string;
}

/** One spreadsheet of Google Sheets, and the files of one Google Drive folder. */
export class Google implements StandIn {
	readonly hosts = ['sheets.googleapis.com', 'www.googleapis.com'];
	/** Rows by the sheet's name; the first are the names of the columns. */
	readonly sheets: Record<string, Row[]> = {};
	readonly files: DriveFile[] = [];

	reset() {
		for (const name of Object.keys(this.sheets)) delete this.sheets[name];
		this.files.length = 0;
	}

	/** The rows of a sheet by their columns. */
	rowsOf(sheet: string): Array<Record<string, Row[number] | undefined>> {
		const [columns = [], ...rows] = this.sheets[sheet] ?? [];
		return rows.map((row) =>
			Object.fromEntries(columns.map((column, index) => [column, row[index]])),
		);
	}

	addRoutes: StandIn['addRoutes'] = (app) => {
		app.get('/v4/spreadsheets/:id', (_req, res) => {
			const sheets = Object.keys(this.sheets).map((title, sheetId) => ({
				properties: { title, sheetId, gridProperties: { rowCount: 1000, columnCount: 26 } },
			}));
			res.json({ sheets });
		});
		app.get('/v4/spreadsheets/:id/values/:range', (req, res) => {
			const { sheet } = parsedRange(String(req.params.range));
			res.json({ values: this.sheets[sheet] ?? [] });
		});
		app.post('/v4/spreadsheets/:id/values\\:batchUpdate', (req, res) => {
			const { data } = req.body as { data: Array<{ range: string; values: Row[] }> };
			for (const { range, values } of data) this.write(range, values);
			res.json({ totalUpdatedRows: data.length });
		});
		app.get('/drive/v3/files', (req, res) => {
			const [, since = ''] = /createdTime > '([^']+)'/.exec(String(req.query.q)) ?? [];
			const files = this.files.filter(({ createdTime }) => createdTime > since);
			res.json({ files: files.map((file) => ({ ...file, content: undefined })) });
		});
		app.get('/drive/v3/files/:id', (req, res) => {
			const file = this.files.find(({ id }) => id === req.params.id);
			if (!file) return void res.status(404).json({ error: { message: 'File not found' } });
			const { name, mimeType, content } = file;
			if (req.query.alt === 'media') return void res.type(mimeType).send(content);
			res.json({ name, mimeType });
		});
	};

	private write(range: string, values: Row[]) {
		const { sheet, column, row } = parsedRange(range);
		const rows = this.sheets[sheet];
		if (!rows) throw new Error(`There is no sheet ${sheet}`);
		values.forEach((cells, down) => {
			const target = (rows[row + down] ??= []);
			cells.forEach((cell, right) => (target[column + right] = cell));
		});
	}
}

/** Of a range such as `'Customers'!C3` or `Customers!A:Z`; rows and columns from 0. */
function parsedRange(range: string) {
	const [, sheet = '', letter = 'A', number = '1'] =
		/^'?([^'!]+)'?(?:!([A-Z])(\d+)?.*)?$/.exec(range) ?? [];
	return { sheet, column: letter.charCodeAt(0) - 65, row: Number(number) - 1 };
}
