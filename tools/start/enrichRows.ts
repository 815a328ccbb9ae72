import type { IDataObject } from 'n8n-workflow';
import type { Sandbox } from '../../sandbox';
import { jsonOf, runNode } from '../engine';
import { table } from '../cli/tables';
import { listIn, nodeIn, readExample } from '../examples';
import { credentialsOf } from './services';

const EXAMPLE = 'enrich-crm-rows';

/** Looks up the twelve CRM rows of the example, and returns them with their companies as a table. */
export async function enrichRows(sandbox: Sandbox): Promise<string> {
	const { workflow } = await readExample(EXAMPLE);
	const rows = listIn(workflow, 'Customers');
	const { companyRegistryApi } = credentialsOf(sandbox);
	const { items, error } = await runNode({
		type: 'companyRegistry',
		parameters: nodeIn(workflow, 'Look up the companies').parameters,
		credentials: { companyRegistryApi },
		items: rows.map((json) => ({ json })),
	});
	if (error) throw error;
	const enriched = jsonOf(items);
	if (enriched.length !== rows.length) {
		throw new Error(`Enrich returned ${enriched.length} rows for ${rows.length}`);
	}
	const missing = enriched.filter(({ found }) => found !== true);
	return [
		table(HEAD, enriched.map(cells), { right: [HEAD.length - 1] }),
		...missing.map((row) => `${given(row)}: ${String(row.reason)}`),
	].join('\n');
}

const HEAD = ['Row in the CRM', 'Company', 'IDNO', 'Status', 'Rating', 'Credit limit'];

function cells(row: IDataObject): unknown[] {
	if (row.found !== true)
		return [given(row), row.ambiguous ? 'ambiguous' : 'not found', '', '', '', ''];
	return [
		given(row),
		row.company_name,
		row.company_idno,
		row.company_status,
		row.company_rating,
		`${Number(row.company_recommended_limit_mdl).toLocaleString('en')} MDL`,
	];
}

function given({ name, idno }: IDataObject): string {
	return String(name || idno);
}
