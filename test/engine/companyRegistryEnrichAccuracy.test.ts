import { createServer } from 'node:http';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';

import type { Variant } from '../../nodes/CompanyRegistry/service';
import { figuresOf, outcomeOf, registerOf } from '../../tools/evaluate/evaluate';
import { later, measured, pairs } from '../../tools/evaluate/pairs';
import type { SearchKind } from '../../tools/evaluate/registries';
import { jsonOf, runNode } from './harness';
import { itemsOf } from './linkManagementSupport';

const SETS = [...measured, ...later];

let server: Server | undefined;

afterEach(() => {
	server?.closeAllConnections();
	server?.close();
});

/** A service whose search works in one of the ways, with the companies of all pairs. */
async function serve(kind: SearchKind, variant: Variant) {
	const register = registerOf([...pairs, ...later], kind, variant);
	server = createServer((request, response) => {
		const { searchParams } = new URL(request.url ?? '', 'http://localhost');
		const page = variant === 'v1' ? 1 : Number(searchParams.get('page'));
		const { rows, total } = register.search(searchParams.get('q') ?? '', page);
		response.setHeader('Content-Type', 'application/json');
		response.end(JSON.stringify({ success: true, total, page, per_page: 50, data: rows }));
	});
	await new Promise<void>((resolve) => server?.listen(0, '127.0.0.1', resolve));
	const { port } = server.address() as AddressInfo;
	return { register, baseUrl: `http://127.0.0.1:${port}` };
}

/** Below these figures Enrich is not fit to write into a CRM. */
const LEAST: Array<[SearchKind, Variant, number]> = [
	['all words', 'v1', 0.85],
	['all words', 'unversioned', 0.85],
	['any word', 'v1', 0.85],
	['any word', 'unversioned', 0.85],
	['LIKE', 'v1', 0.75],
	['LIKE', 'unversioned', 0.75],
];

it.each(LEAST)(
	'finds the right companies or none if the service searches by %s (%s)',
	async (kind, variant, recall) => {
		const { register, baseUrl } = await serve(kind, variant);
		const { items, error } = await runNode({
			type: 'companyRegistry',
			parameters: { resource: 'company', operation: 'enrich', companyName: '={{ $json.row }}' },
			items: itemsOf(...SETS.map(({ row }) => ({ row }))),
			credentials: {
				companyRegistryApi: {
					...{ variant, baseUrl, apiKey: `accuracy-${kind}-${variant}` },
					...{ plan: 'custom', requestsPerMinute: 1_000_000, requestsPerDay: 1_000_000 },
				},
			},
		});
		expect(error).toBeUndefined();
		const results = jsonOf(items).map(({ company_name }, index) => {
			const found = company_name as string | undefined;
			const pair = SETS[index]!;
			return { pair, found, outcome: outcomeOf(pair, found), reason: null, requests: 0 };
		});
		const figures = figuresOf(results);
		expect(figures.precision).toBeGreaterThanOrEqual(0.95);
		expect(figures.recall).toBeGreaterThanOrEqual(recall);
		expect(register.requests / SETS.length).toBeLessThanOrEqual(2);
	},
);
