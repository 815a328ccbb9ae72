import type { Sandbox } from '..';
import { escapeHtml, htmlPage } from '../shared/html';
import { newestRequests, OPERATIONS, servicesOf } from './operations';

const REQUESTS_SHOWN = 15;
const COMPANIES_SHOWN = 5;

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
`;

/** What the last form led to. */
export interface Notice {
	done: string | undefined;
	failed: string | undefined;
}

/** The control page: the services' addresses, buttons that simulate events, the newest requests. */
export function indexPage(sandbox: Sandbox, notice: Notice): string {
	const body = [
		'<h1>Sandbox</h1>',
		'<p>A sandbox of the link-management API and both variants of the company-registry API. ',
		'All data is made up.</p>',
		noticeHtml(notice),
		'<h2>Services</h2>',
		servicesTable(sandbox),
		'<h2>Make something happen</h2>',
		formsHtml(sandbox),
		'<h2>Newest requests</h2>',
		requestsTable(sandbox),
		'<h2>Control interface</h2>',
		'<p>The same and more over HTTP, with JSON bodies and without a key.</p>',
		operationsTable(),
	];
	return htmlPage('Sandbox', body.join('\n'), STYLE);
}

function noticeHtml({ done, failed }: Notice): string {
	if (failed !== undefined) return `<p class="failed">Failed: ${escapeHtml(failed)}</p>`;
	return done === undefined ? '' : `<p class="done">Done: <code>${escapeHtml(done)}</code></p>`;
}

function servicesTable(sandbox: Sandbox): string {
	const rows = servicesOf(sandbox).map(({ name, baseUrl, apiKey }) => [
		escapeHtml(name),
		code(baseUrl),
		code(apiKey),
	]);
	return table(['Service', 'Base URL', 'API key'], rows);
}

function formsHtml({ links, registry }: Sandbox): string {
	const qr = links.state.qrs.slice('newest-first', 0, 1)[0]?.id ?? '';
	const companies = registry.v1.state.all().slice(0, COMPANIES_SHOWN);
	const suggestions = companies
		.map(({ idno, name }) => `<option value="${idno}">${escapeHtml(name)}</option>`)
		.join('');
	return [
		form('/control/files', 'Add a file', input('name', 'Name', 'price-list.pdf')),
		form(
			'/control/qr/:id/scan',
			'Scan a QR code',
			input('id', 'QR code (id)', String(qr)) + input('times', 'Times', '1'),
		),
		form(
			'/control/companies/:idno',
			'Change a company',
			input('idno', 'IDNO', companies[0]?.idno ?? '', 'list="companies"') +
				input('status', 'Status', 'suspended') +
				input('rating', 'Rating (A to F)', '') +
				input('score', 'Score', '') +
				input('limit', 'Limit (MDL)', '') +
				`<datalist id="companies">${suggestions}</datalist>`,
		),
		form('/control/qr/reset-scans', 'Set all scans to 0'),
		form('/control/limits/reset', 'Reset rate limits'),
		form('/control/reset', 'Reset everything'),
	].join('\n');
}

function requestsTable(sandbox: Sandbox): string {
	const rows = newestRequests(sandbox, REQUESTS_SHOWN)
		.reverse()
		.map(({ at, service, method, path, status }) => [
			escapeHtml(new Date(at).toISOString().slice(11, 19)),
			escapeHtml(service),
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
	return table(['Call', 'What it does'], rows);
}

/** A form for an operation. Its fields are HTML. */
function form(path: string, button: string, fields = ''): string {
	return (
		`<form method="post" action="/form"><input type="hidden" name="path" value="${path}">` +
		`${fields}<button>${escapeHtml(button)}</button></form>`
	);
}

function input(name: string, label: string, value: string, attributes = ''): string {
	return (
		`<label>${escapeHtml(label)}` +
		`<input name="${name}" value="${escapeHtml(value)}" ${attributes}></label>`
	);
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
