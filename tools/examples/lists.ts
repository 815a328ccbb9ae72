import { createHash } from 'node:crypto';
import { join } from 'node:path';
import type { INode, INodeParameters } from 'n8n-workflow';
import { runProgram } from '../cli/program';
import type { WorkflowFile } from '../host';
import { writeJson } from '../package';
import { EXAMPLES_DIR, readExample } from '.';

/**
 * The examples that keep a list up to date with Enrich, each in an app that people look for by name. They
 * differ in how the app is read and written, so everything else is written here once.
 * `npx tsx tools/examples/lists.ts` writes their nodes. What is pinned to the nodes stays (pin.ts).
 */

type Draft = Pick<INode, 'name' | 'type' | 'typeVersion' | 'position' | 'parameters'> &
	Partial<INode>;

/** How an app is read and written. */
interface App {
	/** The node of the app. */
	type: string;
	typeVersion: number;
	/** Records as the app calls them, in the plural and in the singular. */
	records: string;
	record: string;
	/** The name of the node that reads, and its parameters. */
	readBy: string;
	read: INodeParameters;
	/** The name of the node that writes, and its parameters for fields and their values. */
	writtenBy: string;
	write(fields: Record<string, string>): INodeParameters;
	/** A field of a record, as JavaScript after the record: `.name`. */
	path(field: string): string;
	/** The app's field for registry_state, and what identifies a record. */
	state: string;
	key: string;
}

interface Parts {
	about: string;
	aboutHeight: number;
	flow: string;
	flowHeight: number;
	flowWidth: number;
	nodes: Draft[];
	/** From a node to the nodes on each of its outputs. */
	connections: Record<string, string[][]>;
}

const TRY_IT =
	"**Try it:** select *Execute workflow*. It runs on sample data that's pinned to the nodes that need a credential. To use your own data, unpin those nodes.";
const SELECT = 'Select your credentials in the nodes';
const EXACT = "$json.match_status === 'found' && $json.match_quality === 'exact'";
const LOOK_UP = 'Look up the companies';
const NEW = 'Only what is new';

const paragraphs = (...texts: string[]) => texts.join('\n\n');

/** The record that an item was read from. */
const recordOf = ({ readBy }: App) => `$('${readBy}').item.json`;

/** A field as it was read. */
const stored = (app: App, field: string) => `${recordOf(app)}${app.path(field)}`;

/** A column of Enrich as a field's new value. A column that isn't there isn't known, so the field stays. */
const kept = (app: App, column: string, field: string) =>
	`$json.${column} === undefined ? ${stored(app, field)} ?? '' : $json.${column} ?? ''`;

const expression = (code: string) => `={{ ${code} }}`;
const byId = (value: string, mode = 'id') => ({ __rl: true, mode, value });

function schedule(name: string, interval: INodeParameters, y: number): Draft {
	const parameters = { rule: { interval: [interval] } };
	const type = 'n8n-nodes-base.scheduleTrigger';
	return { name, type, typeVersion: 1.2, position: [0, y], parameters };
}

function reading({ type, typeVersion, readBy: name, read: parameters }: App, y: number): Draft {
	return { name, type, typeVersion, position: [240, y], parameters };
}

function lookUp(parameters: INodeParameters, y: number, onError?: INode['onError']): Draft {
	return {
		name: LOOK_UP,
		type: 'n8n-nodes-link-company.companyRegistry',
		typeVersion: 1,
		position: [480, y],
		parameters: { resource: 'company', operation: 'enrich', ...parameters },
		credentials: {
			companyRegistryApi: { id: 'linkCompanyRegistry', name: 'Company Registry (sandbox)' },
		},
		...(onError && { onError }),
	};
}

function conditions(id: string, condition: string): INodeParameters {
	const operator = { type: 'boolean', operation: 'true', singleValue: true };
	return {
		conditions: {
			options: { caseSensitive: true, leftValue: '', typeValidation: 'strict', version: 2 },
			conditions: [{ id, leftValue: expression(condition), rightValue: '', operator }],
			combinator: 'and',
		},
		options: {},
	};
}

function filter(name: string, condition: string, position: [number, number]): Draft {
	const parameters = conditions(idOf(name, condition), condition);
	return { name, type: 'n8n-nodes-base.filter', typeVersion: 2.3, position, parameters };
}

/** Keeps the rows that were checked in this run. */
const onlyNew = (app: App, y: number) =>
	filter(
		NEW,
		`Boolean($json.registry_state) && $json.registry_state !== ${stored(app, app.state)}`,
		[720, y],
	);

function writing(
	{ type, typeVersion, write }: App,
	name: string,
	fields: Record<string, string>,
	position: [number, number],
): Draft {
	const values = Object.entries(fields).map(([field, code]) => [field, expression(code)]);
	const parameters = write(Object.fromEntries(values) as Record<string, string>);
	return { name, type, typeVersion, position, parameters };
}

function email(
	name: string,
	toEmail: string,
	subject: string,
	html: string,
	position: [number, number],
): Draft {
	const fromEmail = 'workflows@shop.example';
	const options = { appendAttribution: false };
	const parameters = { fromEmail, toEmail, subject, html, options };
	return { name, type: 'n8n-nodes-base.emailSend', typeVersion: 2.1, position, parameters };
}

/** Columns that are mapped one by one. */
function mapped(fields: Record<string, string>, key: string, types: Record<string, string> = {}) {
	return {
		mappingMode: 'defineBelow',
		value: fields,
		matchingColumns: key in fields ? [key] : [],
		schema: Object.keys(fields).map((id) => ({
			id,
			displayName: id,
			required: false,
			defaultMatch: id === key,
			display: true,
			type: types[id] ?? 'string',
			canBeUsedToMatch: true,
			removed: false,
		})),
		attemptToConvertTypes: types[key] !== undefined,
		convertFieldsToString: false,
	};
}

interface Crm extends App {
	app: string;
	/** What the workflow's title calls the records. */
	titled?: string;
	account: string;
	setUp: string;
	cost: string;
	/** Fields for the company's data, and for the record's name. */
	idno: string;
	status: string;
	rating: string;
	name: string;
}

const ASK = 'Ask for a decision';

/** A CRM, updated every night. A person decides about what doesn't match exactly. */
function nightly(crm: Crm): Parts {
	const { app, records, record, titled = records, writtenBy, idno, status, rating, state } = crm;
	const [keep, ask, exact, every] = [
		'Keep the state',
		'Not asked yet',
		'Exact match?',
		'Every night at two',
	];
	const review = [
		`'<p><b>' + item.json${crm.path(crm.name)} + '</b>: ' + (item.json.registry_changes || item.json.match_reason)`,
		"'<br>' + (item.json.match_alternatives ?? '').replaceAll('\\n', '<br>') + '</p>'",
	].join(' + ');
	return {
		aboutHeight: 560,
		about: paragraphs(
			`## Update ${app} ${titled} every night`,
			`Every night, the workflow looks up your ${records} in the company registry. Exact matches get their IDNO, status and rating. An email lists the ${records} that need a decision, each of them only once.`,
			TRY_IT,
			`**You need:** a Company Registry key for the V1 API, ${crm.account}, and an email account (SMTP).`,
			`**To use it:** ${crm.setUp} ${SELECT}, enter your addresses in *${ASK}*, then publish the workflow.`,
			`**What it costs:** on the first night, one or two searches and one credit recommendation per ${record}. After that, usually one request per ${record} per night. ${crm.cost}`,
		),
		flowHeight: 720,
		flowWidth: 1460,
		flow: paragraphs(
			`### What happens\n\`registry_state\` tells the next run what this one found, so every ${record} gets its turn, even if your quota isn't enough for all of them in one night. *${NEW}* leaves out ${records} that weren't checked.`,
			`Only an exact match changes your own fields. If there's no exact match, enter the right IDNO in the IDNO field. The next run checks that ${record} first.`,
		),
		nodes: [
			schedule(every, { triggerAtHour: 2 }, 200),
			reading(crm, 200),
			lookUp({ addCredit: true, options: {} }, 200),
			onlyNew(crm, 200),
			{
				...filter(exact, EXACT, [960, 200]),
				type: 'n8n-nodes-base.if',
				typeVersion: 2.2,
			},
			writing(
				crm,
				writtenBy,
				{
					[idno]: '$json.registry_idno',
					[status]: kept(crm, 'registry_status', status),
					[rating]: kept(crm, 'registry_rating', rating),
					[state]: '$json.registry_state',
				},
				[1200, 100],
			),
			writing(crm, keep, { [state]: '$json.registry_state' }, [1200, 290]),
			filter(ask, `!${stored(crm, state)} || Boolean($json.registry_changes)`, [960, 470]),
			{
				...email(
					ASK,
					'sales@shop.example',
					`=${record[0]!.toUpperCase()}${records.slice(1)} to review: {{ $input.all().length }}`,
					expression(`$input.all().map((item) => ${review}).join('')`),
					[1200, 470],
				),
				executeOnce: true,
			},
		],
		connections: {
			[every]: [[crm.readBy]],
			[crm.readBy]: [[LOOK_UP]],
			[LOOK_UP]: [[NEW]],
			[NEW]: [[exact]],
			[exact]: [[writtenBy], [keep, ask]],
			[ask]: [[ASK]],
		},
	};
}

const hubspot: Crm = {
	...{ app: 'HubSpot', records: 'companies', record: 'company' },
	...{ type: 'n8n-nodes-base.hubspot', typeVersion: 2.2 },
	readBy: 'Read the companies',
	writtenBy: 'Update the companies',
	...{ idno: 'idno', status: 'legal_status', rating: 'credit_rating' },
	...{ state: 'registry_state', key: 'companyId', name: 'name' },
	path: (field) => `.properties.${field}?.value`,
	read: {
		authentication: 'appToken',
		...{ resource: 'company', operation: 'getAll', returnAll: true },
		options: {
			propertiesCollection: {
				propertiesValues: {
					properties: ['name', 'idno', 'legal_status', 'credit_rating', 'registry_state'],
					propertyMode: 'valueOnly',
				},
			},
		},
	},
	write: (fields) => ({
		authentication: 'appToken',
		...{ resource: 'company', operation: 'update', companyId: byId('={{ $json.companyId }}') },
		updateFields: {
			customPropertiesUi: {
				customPropertiesValues: Object.entries(fields).map(([property, value]) => ({
					property,
					value,
				})),
			},
		},
	}),
	account: 'a HubSpot account with a private app that can read and write companies',
	setUp:
		'in HubSpot, create a company property of the type "Multi-line text" called `registry_state`. That\'s the only field the node needs. To see the results, create the single-line properties `idno`, `legal_status` and `credit_rating`.',
	cost: 'HubSpot counts one request per 100 companies read, and one per company written.',
};

const odoo: Crm = {
	...{ app: 'Odoo', records: 'companies', record: 'company', titled: 'contacts' },
	...{ type: 'n8n-nodes-base.odoo', typeVersion: 1 },
	readBy: 'Read the companies',
	writtenBy: 'Update the companies',
	...{ idno: 'vat', status: 'x_studio_legal_status', rating: 'x_studio_credit_rating' },
	...{ state: 'x_studio_registry_state', key: 'id', name: 'name' },
	path: (field) => `.${field}`,
	read: {
		...{ resource: 'custom', customResource: 'res.partner' },
		...{ operation: 'getAll', returnAll: true },
		options: {
			fieldsList: [
				...['id', 'name', 'vat', 'city'],
				...['x_studio_legal_status', 'x_studio_credit_rating', 'x_studio_registry_state'],
			],
		},
		filterRequest: {
			filter: [{ fieldName: 'is_company', operator: 'equal', value: 'true' }],
		},
	},
	write: (fields) => ({
		...{ resource: 'custom', customResource: 'res.partner', operation: 'update' },
		customResourceId: '={{ $json.id }}',
		fieldsToCreateOrUpdate: {
			fields: Object.entries(fields).map(([fieldName, fieldValue]) => ({
				fieldName,
				fieldValue,
			})),
		},
	}),
	account: 'an Odoo account',
	setUp:
		'in Odoo Studio, add a "Multiline Text" field called `x_studio_registry_state` to contacts. That\'s the only field the node needs. To see the results, add the text fields `x_studio_legal_status` and `x_studio_credit_rating`. The IDNO goes into the tax ID.',
	cost: 'Odoo counts one request to read all contacts, and one per contact written.',
};

const pipedrive: Crm = {
	...{ app: 'Pipedrive', records: 'organizations', record: 'organization' },
	...{ type: 'n8n-nodes-base.pipedrive', typeVersion: 2 },
	readBy: 'Read the organizations',
	writtenBy: 'Update the organizations',
	...{ idno: 'IDNO', status: 'Registry status', rating: 'Rating' },
	...{ state: 'registry_state', key: 'id', name: 'name' },
	path: (field) => (field === 'name' ? '.name' : `.custom_fields?.['${field}']`),
	read: { resource: 'organization', operation: 'getAll', returnAll: true, filters: {} },
	write: (fields) => ({
		...{ resource: 'organization', operation: 'update', organizationId: '={{ $json.id }}' },
		updateFields: {
			customFields: {
				property: Object.entries(fields).map(([name, value]) => ({ name, value })),
			},
		},
	}),
	account: 'a Pipedrive account',
	setUp:
		'in Pipedrive, add a custom field of the type "Large text" called `registry_state` to organizations. That\'s the only field the node needs. To see the results, add the text fields `IDNO`, `Registry status` and `Rating`.',
	cost: 'Pipedrive counts two requests per 500 organizations read, one for the names of the fields, and one per organization written.',
};

const salesforce: Crm = {
	...{ app: 'Salesforce', records: 'accounts', record: 'account' },
	...{ type: 'n8n-nodes-base.salesforce', typeVersion: 1.1 },
	readBy: 'Read the accounts',
	writtenBy: 'Update the accounts',
	...{ idno: 'IDNO__c', status: 'Legal_Status__c', rating: 'Credit_Rating__c' },
	...{ state: 'Registry_State__c', key: 'Id', name: 'Name' },
	path: (field) => `.${field}`,
	read: {
		...{ resource: 'account', operation: 'getAll', returnAll: true },
		options: {
			fields: [
				...['Id', 'Name', 'BillingCity', 'IDNO__c'],
				...['Legal_Status__c', 'Credit_Rating__c', 'Registry_State__c'],
			],
		},
	},
	write: (fields) => ({
		...{ resource: 'account', operation: 'update', accountId: '={{ $json.Id }}' },
		updateFields: {
			customFieldsUi: {
				customFieldsValues: Object.entries(fields).map(([fieldId, value]) => ({
					fieldId,
					value,
				})),
			},
		},
	}),
	account: 'a Salesforce account',
	setUp:
		'in Salesforce, add a "Long Text Area" field called `Registry State` to accounts. That\'s the only field the node needs. To see the results, add the text fields `IDNO`, `Legal Status` and `Credit Rating`.',
	cost: 'Salesforce counts one request per 2,000 accounts read, and one per account written.',
};

interface Table extends App {
	title: string;
	what: string;
	account: string;
	setUp: string;
	/** How a person decides about a record that doesn't match exactly. */
	decide: string;
	cost: string;
	aboutHeight: number;
	/** Fields by what they hold. */
	fields: Record<'name' | 'idno' | 'status' | 'rating' | 'remark', string>;
}

/** A table whose new records are filled in every hour. */
function hourly(table: Table): Parts {
	const { records, record, writtenBy, fields, key, state } = table;
	const { idno, status, rating, remark } = fields;
	const every = 'Every hour';
	const ifExact = (code: string, field: string) =>
		`${EXACT} ? (${code}) : ${stored(table, field)} ?? ''`;
	const why = "[$json.match_reason, $json.match_alternatives].filter(Boolean).join('\\n')";
	return {
		aboutHeight: table.aboutHeight,
		about: paragraphs(
			`## ${table.title}`,
			`Every hour, the workflow looks up new ${records} of ${table.what} in the company registry, and fills in their IDNO, status and rating. A month later, it checks them again.`,
			TRY_IT,
			`**You need:** a Company Registry key for the V1 API, and ${table.account}.`,
			`**To use it:** ${table.setUp}, then publish the workflow.`,
			`Only an exact match fills in a ${record}. For any other, \`${remark}\` says why and lists the possible companies. ${table.decide}, and the next run looks the ${record} up again.`,
			`**What it costs:** one or two searches and one credit recommendation per new company. ${records[0]!.toUpperCase()}${records.slice(1)} that were checked in the last month are free. ${table.cost}`,
		),
		flowHeight: 340,
		flowWidth: 1240,
		flow: `### What happens\nThe node reads from \`registry_state\` what it found before, so that's the only field it needs. *${NEW}* keeps ${records} that were checked in this run. If the daily quota runs out, the next run continues with the rest.`,
		nodes: [
			schedule(every, { field: 'hours' }, 110),
			reading(table, 110),
			lookUp(
				{
					columns: 'choose',
					companyIdno: expression(`$json${table.path(idno)}`),
					companyName: expression(`$json${table.path(fields.name)}`),
					addCredit: true,
					options: { skipRowsCheckedWithin: 30 },
				},
				110,
				'continueRegularOutput',
			),
			onlyNew(table, 110),
			writing(
				table,
				writtenBy,
				{
					[key]: `$json.${key}`,
					[idno]: ifExact('$json.registry_idno', idno),
					[status]: ifExact(kept(table, 'registry_status', status), status),
					[rating]: ifExact(kept(table, 'registry_rating', rating), rating),
					[remark]: `${EXACT} ? '' : ${why}`,
					[state]: '$json.registry_state',
				},
				[960, 110],
			),
		],
		connections: {
			[every]: [[table.readBy]],
			[table.readBy]: [[LOOK_UP]],
			[LOOK_UP]: [[NEW]],
			[NEW]: [[writtenBy]],
		},
	};
}

const SHEET = {
	documentId: byId('your-spreadsheet-id'),
	sheetName: byId('Customers', 'name'),
};

const googleSheets: Table = {
	title: 'Enrich new rows in Google Sheets',
	what: 'a Google Sheet',
	...{ records: 'rows', record: 'row', aboutHeight: 540 },
	...{ type: 'n8n-nodes-base.googleSheets', typeVersion: 4.7 },
	readBy: 'Read the sheet',
	writtenBy: 'Write the results',
	fields: { name: 'name', idno: 'idno', status: 'status', rating: 'rating', remark: 'remark' },
	...{ key: 'row_number', state: 'registry_state' },
	path: (field) => `.${field}`,
	read: { ...SHEET, options: {} },
	write: (fields) => ({
		...{ operation: 'update', ...SHEET, columns: mapped(fields, 'row_number'), options: {} },
	}),
	account: 'a Google account',
	setUp: `create a sheet called \`Customers\` with the columns \`name\`, \`idno\`, \`status\`, \`rating\`, \`remark\` and \`registry_state\`. Fill in \`name\`, \`idno\` or both. ${SELECT}, enter the ID of your spreadsheet (in its URL, between \`/d/\` and \`/edit\`) in *Read the sheet* and *Write the results*`,
	decide: 'Enter the right IDNO in `idno`',
	cost: 'Google counts one request to read and two to write, however many rows there are.',
};

const TABLE = { base: byId('app00000000000000'), table: byId('tbl00000000000000') };

const airtable: Table = {
	title: 'Enrich new records in Airtable',
	what: 'an Airtable table',
	...{ records: 'records', record: 'record', aboutHeight: 520 },
	...{ type: 'n8n-nodes-base.airtable', typeVersion: 2.2 },
	readBy: 'Read the records',
	writtenBy: 'Write the results',
	fields: { name: 'Name', idno: 'IDNO', status: 'Status', rating: 'Rating', remark: 'Remark' },
	...{ key: 'id', state: 'registry_state' },
	path: (field) => `.fields.${field}`,
	read: { operation: 'search', ...TABLE, options: {} },
	write: (fields) => ({
		...{ operation: 'update', ...TABLE, columns: mapped(fields, 'id'), options: {} },
	}),
	account: 'an Airtable account',
	setUp: `in your table, create a "Long text" field called \`registry_state\`. That's the only field the node needs. For the results, the example uses the text fields \`Name\`, \`IDNO\`, \`Status\`, \`Rating\` and \`Remark\`. ${SELECT}, select your base and table in *Read the records* and *Write the results*`,
	decide: 'Enter the right IDNO',
	cost: 'Airtable counts one request per 100 records read, and one per record written.',
};

const CUSTOMERS = { schema: byId('public', 'name'), table: byId('customers', 'name') };
const CUSTOMER_COLUMNS = [
	...['match_status', 'match_reason', 'registry_name', 'registry_idno'],
	...['registry_status', 'registry_rating', 'registry_checked_at'],
];

const postgres: App = {
	...{ records: 'rows', record: 'row' },
	...{ type: 'n8n-nodes-base.postgres', typeVersion: 2.6 },
	readBy: 'Read the customers',
	writtenBy: 'Update the customers',
	...{ state: 'registry_state', key: 'id' },
	path: (field) => `.${field}`,
	read: { operation: 'select', ...CUSTOMERS, returnAll: true, options: {} },
	write: (fields) => ({
		operation: 'update',
		...CUSTOMERS,
		columns: mapped(fields, 'id', { id: 'number', registry_checked_at: 'dateTime' }),
		options: {},
	}),
};

/** A database whose rows are more than a day's requests. */
function largeList(): Parts {
	const every = 'Every night at two';
	const columns = CUSTOMER_COLUMNS.map((column) => {
		const was = stored(postgres, column);
		return [column, `$json.${column} === undefined ? ${was} : $json.${column}`];
	});
	const types = CUSTOMER_COLUMNS.map((column) =>
		column === 'registry_checked_at' ? `${column} timestamptz` : `${column} text`,
	);
	return {
		aboutHeight: 600,
		about: paragraphs(
			"## Enrich a list that's larger than your quota",
			'Looks up a table that has more rows than your plan has requests in a day. Each night continues where the last one stopped: new rows first, then those that were checked longest ago.',
			TRY_IT,
			'**You need:** a Company Registry key for the V1 API, and a PostgreSQL database.',
			`**To use it:** select your credentials in the nodes, enter the names of your table and its columns, then publish the workflow. For another database, a sheet or a CRM, replace the first and the last node. Of the columns that the node adds, your table only needs \`registry_state\` (text), which tells the next run what this one found. The other columns are for you: review the rows whose \`match_status\` isn't \`found\`.`,
			`To check each row only once a month, add the option *Skip Rows Checked Within (Days)* to *${LOOK_UP}*.`,
			"**What it costs:** your daily quota, every night. With 1,000 requests a day, that's about 400 rows with a credit recommendation. To save some of it for other workflows, add the option *Maximum Requests*.",
		),
		flowHeight: 340,
		flowWidth: 1240,
		flow: paragraphs(
			`### What happens\nWhen your daily quota runs out, *${LOOK_UP}* returns all rows. *${NEW}* leaves out rows that it didn't reach, so they keep what they have.`,
			'The sample data is for this table:',
			`\`CREATE TABLE customers (id bigint PRIMARY KEY, name text, idno text, ${types.join(', ')}, registry_state text)\``,
		),
		nodes: [
			schedule(every, { triggerAtHour: 2 }, 110),
			reading(postgres, 110),
			lookUp({ addCredit: true }, 110, 'continueRegularOutput'),
			onlyNew(postgres, 110),
			writing(
				postgres,
				postgres.writtenBy,
				{
					id: '$json.id',
					...(Object.fromEntries(columns) as Record<string, string>),
					registry_state: '$json.registry_state',
				},
				[960, 110],
			),
		],
		connections: {
			[every]: [[postgres.readBy]],
			[postgres.readBy]: [[LOOK_UP]],
			[LOOK_UP]: [[NEW]],
			[NEW]: [[postgres.writtenBy]],
		},
	};
}

const WATCH_LIST = { dataTableId: byId('Company watch list', 'name') };

const dataTable: App = {
	...{ records: 'rows', record: 'row' },
	...{ type: 'n8n-nodes-base.dataTable', typeVersion: 1.1 },
	readBy: 'Read the watch list',
	writtenBy: 'Update the watch list',
	...{ state: 'registry_state', key: 'id' },
	path: (field) => `.${field}`,
	read: { operation: 'get', ...WATCH_LIST, returnAll: true },
	write: (fields) => ({
		operation: 'update',
		...WATCH_LIST,
		matchType: 'allConditions',
		filters: {
			conditions: [{ keyName: 'id', condition: 'eq', keyValue: '={{ $json.id }}' }],
		},
		columns: mapped(fields, 'id'),
		options: {},
	}),
};

/** A table in n8n, with an email about each change. */
function watchList(): Parts {
	const [every, changed, alert] = [
		'Every morning at seven',
		'Only what changed',
		'Email the change',
	];
	const field = (column: string) => kept(dataTable, column, column);
	return {
		aboutHeight: 540,
		about: paragraphs(
			'## Watch the companies in a table your team edits',
			'Watches the companies in an n8n data table, where your team can add and remove rows. Every morning, the workflow looks up each company and updates the table. If something has changed, you get an email.',
			TRY_IT,
			'**You need:** a Company Registry key, and an email account (SMTP).',
			`**To use it:** create a data table called \`Company watch list\` with the text columns \`idno\` and \`registry_state\`, and enter one IDNO per row. To see the name and the status, add the text columns \`registry_name\` and \`registry_status\`; otherwise, remove them from *${dataTable.writtenBy}*. Select your credentials in *${LOOK_UP}* and *${alert}*, enter your addresses there, then publish the workflow. The first run fills in the table without sending emails.`,
			'**What it costs:** one request per row per day, so the *Developer Free* plan is enough for 100 rows. With more rows than requests, each morning continues with the rows that were checked longest ago.',
		),
		flowHeight: 560,
		flowWidth: 1240,
		flow: `### What happens\n\`registry_state\` holds what the node found the day before, so \`registry_changes\` says what's new since then. *${NEW}* leaves out rows that weren't checked.`,
		nodes: [
			schedule(every, { triggerAtHour: 7 }, 110),
			reading(dataTable, 110),
			lookUp({ columns: 'choose', companyIdno: '={{ $json.idno }}' }, 110),
			onlyNew(dataTable, 110),
			writing(
				dataTable,
				dataTable.writtenBy,
				{
					registry_name: field('registry_name'),
					registry_status: field('registry_status'),
					registry_state: '$json.registry_state',
				},
				[960, 110],
			),
			filter(changed, '$json.registry_changed === true', [720, 340]),
			{
				...email(
					alert,
					'accounting@shop.example',
					'={{ $json.registry_name }}: {{ $json.registry_changes }}',
					'=<p><b>{{ $json.registry_name }}</b> (IDNO {{ $json.registry_idno }}) has changed in the company registry:</p>\n<p>{{ $json.registry_changes }}</p>',
					[960, 340],
				),
			},
		],
		connections: {
			[every]: [[dataTable.readBy]],
			[dataTable.readBy]: [[LOOK_UP]],
			[LOOK_UP]: [[NEW, changed]],
			[NEW]: [[dataTable.writtenBy]],
			[changed]: [[alert]],
		},
	};
}

/** The apps whose nodes test/e2e/writeBack.test.ts runs. */
export const APPS = { googleSheets, airtable, dataTable, postgres, hubspot };

const LISTS: Record<string, () => Parts> = {
	'nightly-hubspot': () => nightly(hubspot),
	'odoo-nightly': () => nightly(odoo),
	'pipedrive-nightly': () => nightly(pipedrive),
	'salesforce-nightly': () => nightly(salesforce),
	'google-sheets-enrich': () => hourly(googleSheets),
	'airtable-enrich': () => hourly(airtable),
	'large-list-postgres': largeList,
	'data-table-watch': watchList,
};

/** All lists, by the names of their files, without sample data. */
export function lists(): WorkflowFile[] {
	return Object.entries(LISTS).map(([id, parts]) => {
		const { about, aboutHeight, flow, flowHeight, flowWidth, nodes, connections } = parts();
		const notes = [
			note('About', { content: about, height: aboutHeight, width: 420, color: 7 }, [-560, -40]),
			note('Flow', { content: flow, height: flowHeight, width: flowWidth }, [-80, -40]),
		];
		return {
			id,
			name: about.slice(3, about.indexOf('\n')),
			nodes: [...notes, ...nodes].map(({ parameters, ...node }) => ({
				parameters,
				id: idOf(id, node.name),
				...node,
			})),
			connections: Object.fromEntries(
				Object.entries(connections).map(([from, outputs]) => [from, { main: links(outputs) }]),
			),
			settings: { executionOrder: 'v1' },
		};
	});
}

function note(name: string, parameters: INodeParameters, position: [number, number]): Draft {
	return { name, type: 'n8n-nodes-base.stickyNote', typeVersion: 1, position, parameters };
}

const links = (outputs: string[][]) =>
	outputs.map((names) => names.map((node) => ({ node, type: 'main', index: 0 })));

/** The same for the same node, in the form of a UUID. */
function idOf(...parts: string[]): string {
	const hex = createHash('sha256').update(parts.join('/')).digest('hex');
	const groups = /^(.{8})(.{4})(.{3})(.{3})(.{12})/.exec(hex)!.slice(1);
	return `${groups[0]}-${groups[1]}-5${groups[2]}-8${groups[3]}-${groups[4]}`;
}

if (require.main === module) {
	void runProgram(async () => {
		for (const list of lists()) {
			const { pinData } = (await readExample(list.id)).workflow;
			const file = { ...list, active: false, tags: [], pinData };
			await writeJson(join(EXAMPLES_DIR, `${list.id}.json`), file);
		}
	});
}
