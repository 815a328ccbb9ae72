import type { Sandbox } from '..';
import { escapeHtml, htmlPage } from '../shared/html';
import { newestRequests, OPERATIONS, servicesOf } from './operations';

const REQUESTS_SHOWN = 15;
const COMPANIES_SHOWN = 50;

const STYLE = `
body { font: 15px/1.5 system-ui, sans-serif; color: #222; max-width: 62rem; margin: 2rem auto; padding: 0 1rem }
h1 { font-size: 1.5rem } h2 { font-size: 1.1rem; margin-top: 2rem }
table { border-collapse: collapse; width: 100% }
th, td { text-align: left; vertical-align: top; padding: .3rem .8rem .3rem 0; border-bottom: 1px solid #ddd }
code { font: 13px ui-monospace, monospace; overflow-wrap: anywhere }
form { display: flex; flex-wrap: wrap; gap: .5rem; align-items: end; margin: .6rem 0 }
label { display: grid; font-size: .8rem; color: #555 }
input, select, button { font: inherit; padding: .25rem .5rem; border: 1px solid #aaa; border-radius: 4px }
button { background: #1a73e8; border-color: #1a73e8; color: #fff; cursor: pointer }
.done, .failed { padding: .5rem .8rem; border-radius: 4px; background: #e6f4ea }
.failed { background: #fce8e6 }
.danger { background: #c5221f; border-color: #c5221f }
.confirm { display: flex; gap: .3rem; align-items: center }
`;

/** Result of the form that was submitted last. */
export interface Notice {
	done: string | undefined;
	failed: string | undefined;
}

/** Names of the services for people; the control interface uses their short names. */
const SERVICE_NAMES: Record<string, string> = {
	links: 'Link Management',
	'registry.v1': 'Company Registry V1',
	'registry.unversioned': 'Company Registry Unversioned',
};

/** The control page: the addresses of the services, simulated events, the newest requests. */
export function indexPage(sandbox: Sandbox, notice: Notice): string {
	const body = [
		'<h1>Sandbox</h1>',
		'<p>A control page for simulating events in a sandbox of the link-management API and both ',
		'variants of the company-registry API. All data is made up.</p>',
		noticeHtml(notice),
		'<h2>Services</h2>',
		servicesTable(sandbox),
		'<h2>Simulate an Event</h2>',
		formsHtml(sandbox),
		'<h2>Newest Requests</h2>',
		requestsTable(sandbox),
		'<h2>Reset</h2>',
		resetsHtml(),
		'<h2>Control Interface</h2>',
		'<p>Call these endpoints over HTTP with JSON bodies. They need no API key.</p>',
		operationsTable(),
	];
	return htmlPage('Sandbox', body.join('\n'), STYLE);
}

function noticeHtml({ done, failed }: Notice): string {
	if (failed !== undefined) return `<p class="failed">Failed: ${escapeHtml(failed)}</p>`;
	if (done === undefined) return '';
	const fields = fieldsOf(done);
	const result = fields.length > 0 ? table(['Field', 'Value'], fields) : '';
	return `<div class="done">Done.${result}</div>`;
}

/** The fields of a result, which is a JSON object. */
function fieldsOf(result: string): string[][] {
	try {
		const fields = Object.entries(JSON.parse(result) as object);
		return fields
			.filter(([name]) => name !== 'done')
			.map(([name, value]) => [escapeHtml(name), code(String(value))]);
	} catch {
		return [];
	}
}

function servicesTable(sandbox: Sandbox): string {
	const rows = servicesOf(sandbox).map(({ name, baseUrl, apiKey }) => [
		escapeHtml(SERVICE_NAMES[name] ?? name),
		code(baseUrl),
		code(apiKey),
	]);
	return table(['Service', 'Base URL', 'API Key'], rows);
}

function formsHtml({ links, registry }: Sandbox): string {
	const qrCodes = links.state.qrs.slice('newest-first', 0, links.state.qrs.size);
	const companies = registry.v1.state.all().slice(0, COMPANIES_SHOWN);
	return [
		form('/control/files', 'Add File', input('name', 'Name', 'price-list.pdf')),
		form(
			'/control/qr/:id/scan',
			'Scan QR Code',
			select(
				'id',
				'QR Code',
				qrCodes.map(({ id, name }) => [String(id), `${name} (${id})`]),
			) + input('times', 'Scans', '1'),
		),
		form(
			'/control/companies/:idno',
			'Change Company',
			select(
				'idno',
				'Company',
				companies.map(({ idno, name }) => [idno, `${name} (${idno})`]),
			) +
				input('status', 'Status', 'suspended') +
				input('rating', 'Rating (A to F)', '') +
				input('score', 'Score', '') +
				input('limit', 'Credit Limit (MDL)', ''),
		),
	].join('\n');
}

/** What cannot be undone, each with a box to confirm it. */
function resetsHtml(): string {
	return [
		form('/control/limits/reset', 'Reset Rate Limits', confirmation(), 'danger'),
		form('/control/qr/reset-scans', 'Reset Scans of All QR Codes', confirmation(), 'danger'),
		form('/control/reset', 'Reset All Data', confirmation(), 'danger'),
	].join('\n');
}

function requestsTable(sandbox: Sandbox): string {
	const rows = newestRequests(sandbox, REQUESTS_SHOWN)
		.reverse()
		.map(({ at, service, method, path, status }) => [
			escapeHtml(new Date(at).toISOString().slice(11, 19)),
			escapeHtml(SERVICE_NAMES[service] ?? service),
			code(`${method} ${path}`),
			status === 0 ? 'none' : String(status),
		]);
	if (rows.length === 0) return '<p>None yet.</p>';
	return table(['Time (UTC)', 'Service', 'Request', 'Status'], rows);
}

function operationsTable(): string {
	const rows = OPERATIONS.map(({ method, path, does }) => [
		code(`${method.toUpperCase()} ${path}`),
		escapeHtml(does),
	]);
	return table(['Request', 'Description'], rows);
}

/** A form for an operation. Its fields are HTML. */
function form(path: string, button: string, fields: string, kind = ''): string {
	return (
		`<form method="post" action="/form"><input type="hidden" name="path" value="${path}">` +
		`${fields}<button class="${kind}">${escapeHtml(button)}</button></form>`
	);
}

/** The browser sends the form only if the box is checked; the page has no scripts. */
function confirmation(): string {
	return '<label class="confirm"><input type="checkbox" required> Confirm</label>';
}

/** A choice of records by their names. */
function select(
	name: string,
	label: string,
	records: Array<[value: string, text: string]>,
): string {
	const options = records
		.map(([value, text]) => `<option value="${escapeHtml(value)}">${escapeHtml(text)}</option>`)
		.join('');
	return `<label>${escapeHtml(label)}<select name="${name}">${options}</select></label>`;
}

function input(name: string, label: string, value: string): string {
	return `<label>${escapeHtml(label)}<input name="${name}" value="${escapeHtml(value)}"></label>`;
}

/** A table; the cells are HTML. */
function table(heads: string[], rows: string[][]): string {
	const head = heads.map((text) => `<th>${escapeHtml(text)}</th>`).join('');
	const body = rows
		.map((cells) => `<tr>${cells.map((cell) => `<td>${cell}</td>`).join('')}</tr>`)
		.join('\n');
	return `<table><thead><tr>${head}</tr></thead><tbody>${body}</tbody></table>`;
}

function code(text: string): string {
	return `<code>${escapeHtml(text)}</code>`;
}
