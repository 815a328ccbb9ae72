import type { N8nApi } from '../../../tools/host';

/** A row of a list, by its columns. */
export type Cells = Record<string, string>;

type Stored = { id: number } & Record<string, unknown>;

/** A data table, in which people and programs change cells as in a spreadsheet: a row keeps its ID, not its cells. */
export class Spreadsheet {
	/** @param path of its REST resource */
	constructor(
		private readonly path: string,
		private readonly columns: readonly string[],
	) {}

	private async stored(api: N8nApi): Promise<Stored[]> {
		const { data } = await api.get<{ data: Stored[] }>(`${this.path}/rows?take=250`);
		return data.sort((one, other) => one.id - other.id);
	}

	private cellsOf(row: Stored): Cells {
		return Object.fromEntries(this.columns.map((each) => [each, String(row[each] ?? '')]));
	}

	async read(api: N8nApi): Promise<Cells[]> {
		return (await this.stored(api)).map((row) => this.cellsOf(row));
	}

	/** Stores what `change` makes of the rows, which can be more than before. */
	async change(api: N8nApi, change: (rows: Cells[]) => Cells[]): Promise<void> {
		const stored = await this.stored(api);
		const rows = change(stored.map((row) => this.cellsOf(row)));
		const data = rows.slice(stored.length);
		if (data.length > 0) await api.post(`${this.path}/insert`, { data, returnType: 'count' });
		for (const [place, { id }] of stored.entries()) {
			const filter = { type: 'and', filters: [{ columnName: 'id', condition: 'eq', value: id }] };
			await api.patch(`${this.path}/rows`, { filter, data: rows[place]! });
		}
	}
}

const quoted = (text: string) => text.replace(/"([^"]*)"/g, '„$1”').replace(/'/g, '’');

/** What programs make of a state. None of them leaves it as it is, and one after the other can do so. */
const STATE_FORMS: Array<(state: string) => string> = [
	(state) => `“${state}”`,
	(state) => `<p>${state.replace(/ /g, '&nbsp;')}</p>`,
	(state) => state.replace(/(?<!\\)[_|=]/g, '\\$&'),
	(state) => state.replace(/\|\s*/g, '|\r\n'),
	(state) => state.slice(0, 255),
];

/** What programs make of an IDNO: a number with separators, or one with decimals. */
const IDNO_FORMS: Array<(digits: string) => string> = [
	(digits) => Number(digits).toLocaleString('en-US'),
	(digits) => Number(digits).toLocaleString('ru-RU'),
	(digits) => `${digits}.0`,
];

/** What programs make of a date: another time zone, or a form of its own. */
const DATE_FORMS: Array<(date: Date) => string> = [
	(date) => new Date(date.getTime() + 3 * 3_600_000).toISOString().replace('Z', '+03:00'),
	(date) => date.toISOString().slice(0, 19).replace('T', ' '),
];

const formOf = <Form>(forms: Form[], place: number) => forms[place % forms.length]!;

/** A cell as a program stores it. By its place, it takes one of the forms that it can. */
export function reshaped(column: string, cell: string, place: number): string {
	if (cell === '') return cell;
	if (column.endsWith('registry_state')) return formOf(STATE_FORMS, place)(cell);
	if (column.endsWith('registry_idno')) {
		return formOf(IDNO_FORMS, place)(cell.replace(/\.0$|\D/g, ''));
	}
	if (column.endsWith('registry_checked_at')) {
		return formOf(DATE_FORMS, place)(new Date(/[Z+]/.test(cell) ? cell : `${cell}Z`));
	}
	if (column.endsWith('registry_status')) return `${cell.trim()}\u00a0`;
	return column.endsWith('registry_name') ? quoted(cell) : cell;
}
