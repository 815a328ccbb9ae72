import type { IDataObject } from 'n8n-workflow';

import { without } from '../../../nodes/shared/http/json';
import { startPostgres, type Postgres } from '../../../tools/host';

/**
 * Apps as n8n's own nodes see them: what these nodes send is kept, as the app would keep it. The nodes' code is
 * real, and so is PostgreSQL.
 */
export interface App {
	/** Starts over with records whose first column is filled. */
	reset(columns: string[], first: string[]): Promise<void> | void;
	/** The records, with an empty field as undefined. */
	records(): Promise<IDataObject[]> | IDataObject[];
	/** Changes a field, as a person or the app does. */
	set(index: number, column: string, value: string): Promise<void> | void;
	/** Responds to a request of the app's node. */
	respond?(request: Request): unknown;
	credential?: [type: string, data: IDataObject];
	stop?(): Promise<void>;
}

interface Request {
	method: string;
	uri: string;
	qs: IDataObject;
	body: IDataObject;
}

const isEmpty = (value: unknown) => value === null || value === undefined || value === '';

const filled = (record: object) =>
	Object.fromEntries(Object.entries(record).filter(([, value]) => !isEmpty(value)));

/** Records in memory, by what the app calls their ID. */
abstract class InMemory implements App {
	protected rows: IDataObject[] = [];
	protected columns: string[] = [];

	reset(columns: string[], first: string[]): void {
		this.columns = columns;
		this.rows = first.map((value) => ({ [columns[0]!]: value }));
	}

	records(): IDataObject[] {
		return this.rows.map(filled);
	}

	set(index: number, column: string, value: string): void {
		this.rows[index]![column] = value;
	}
}

export class GoogleSheet extends InMemory {
	respond({ method, uri, qs, body }: Request): unknown {
		const url = decodeURIComponent(uri);
		const header = this.columns;
		if (url.endsWith('values:batchUpdate')) {
			for (const { range, values } of body.data as Array<{ range: string; values: string[][] }>) {
				const [, letter = '', row = ''] = /!([A-Z])(\d+)$/.exec(range)!;
				const value = values[0]![0];
				// The Sheets API skips null.
				if (isEmpty(value) && value !== '') continue;
				this.rows[Number(row) - 2]![header[letter.charCodeAt(0) - 65]!] = value;
			}
			return {};
		}
		if (method !== 'GET') throw new Error(`No ${method} ${url}`);
		if (!url.includes('/values/')) {
			const gridProperties = { rowCount: 100, columnCount: 26 };
			return { sheets: [{ properties: { title: 'Customers', sheetId: 0, gridProperties } }] };
		}
		const rows = this.rows.map((row) => header.map((column) => row[column] ?? ''));
		const asText = qs.valueRenderOption === 'FORMATTED_VALUE';
		return { values: [header, ...rows.map((row) => (asText ? row.map(String) : row))] };
	}
}

export class AirtableBase extends InMemory {
	respond({ method, body }: Request): unknown {
		if (method === 'GET') {
			return {
				records: this.rows.map((fields, index) => ({ id: `rec${index}`, fields: filled(fields) })),
			};
		}
		const { records } = JSON.parse(JSON.stringify(body)) as {
			records: Array<{ id: string; fields: IDataObject }>;
		};
		for (const { id, fields } of records) Object.assign(this.rows[Number(id.slice(3))]!, fields);
		return { records };
	}
}

export class HubSpotAccount extends InMemory {
	respond({ method, uri, body }: Request): unknown {
		if (method === 'GET') {
			const companies = this.rows.map((row, companyId) => {
				const properties = Object.entries(filled(row)).map(([name, value]) => [name, { value }]);
				return { companyId, properties: Object.fromEntries(properties) as IDataObject };
			});
			return { companies, 'has-more': false };
		}
		const row = this.rows[Number(uri.split('/').at(-1))]!;
		const { properties } = JSON.parse(JSON.stringify(body)) as {
			properties: Array<{ name: string; value?: string }>;
		};
		// What HubSpot makes of a property without a value isn't documented.
		for (const { name, value } of properties) if (value !== undefined) row[name] = value;
		return {};
	}
}

export class DataTable extends InMemory {
	/** What n8n gives to its Data Table node. */
	readonly proxy = {
		getColumns: () => this.columns.map((name) => ({ name, type: 'string' })),
		getManyRowsAndCount: () => ({
			count: this.rows.length,
			data: this.rows.map((row, id) => ({
				...{ id, createdAt: new Date(0), updatedAt: new Date(0) },
				...Object.fromEntries(this.columns.map((name) => [name, row[name] ?? null])),
			})),
		}),
		updateRows: ({ data, filter }: { data: IDataObject; filter: { filters: IDataObject[] } }) => {
			const row = this.rows[Number(filter.filters[0]!.value)]!;
			return [Object.assign(row, data)];
		},
	};
}

export class PostgresTable implements App {
	private server!: Postgres;
	credential?: [string, IDataObject];

	async reset(columns: string[], first: string[]): Promise<void> {
		this.server ??= await startPostgres();
		const { port, database, user } = this.server;
		const host = { host: '127.0.0.1', port, ssl: 'disable', sshTunnel: false };
		this.credential = ['postgres', { ...host, database, user, password: '' }];
		const types = columns.map((column) => `${column} text`);
		await this.server.execute('DROP TABLE IF EXISTS customers');
		await this.server.execute(
			`CREATE TABLE customers (id bigint PRIMARY KEY, ${types.join(', ')})`,
		);
		for (const [id, value] of first.entries()) {
			await this.server.execute(`INSERT INTO customers VALUES (${id}, '${value}')`);
		}
	}

	async records(): Promise<IDataObject[]> {
		const rows = await this.server.select<IDataObject>('SELECT * FROM customers ORDER BY id');
		return rows.map((row) => filled(without(row, 'id') as IDataObject));
	}

	async set(index: number, column: string, value: string): Promise<void> {
		const text = value.replaceAll("'", "''");
		await this.server.execute(`UPDATE customers SET ${column} = '${text}' WHERE id = ${index}`);
	}

	async stop(): Promise<void> {
		await this.server?.stop();
	}
}
