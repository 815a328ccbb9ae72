import { startWith } from '../tools/stage/workflows';
import { interleave, median, ratio, rounded, target, type Part } from './part';
import {
	freshCredential,
	httpRequest,
	NO_LIMIT,
	type NodeRun,
	onStage,
	ours as ourNode,
	stored,
} from './stage';

const ROWS = 5_000;
const PAGE_SIZE = 100;
const PAGES = ROWS / PAGE_SIZE;
const LATENCY_MS = 50;

/** The pagination that n8n's documentation recommends for page numbers. */
const PAGINATION = {
	pagination: {
		paginationMode: 'updateAParameterInEachRequest',
		parameters: {
			parameters: [{ type: 'qs', name: 'page', value: '={{ $pageCount + 1 }}' }],
		},
		paginationCompleteWhen: 'other',
		completeExpression: '={{ !$response.body.data.nextpage }}',
		requestInterval: 0,
	},
};

interface Reading {
	ms: number;
	requests: number;
}

/** Reads all rows of a long list from a service with latency. */
export const returnAll: Part = async (rounds, report) => {
	const list = { counts: { campaigns: ROWS }, maxPageSize: PAGE_SIZE, latencyMs: LATENCY_MS };
	const limits = { rateLimit: { limit: NO_LIMIT }, ...list };
	const measured = await onStage(limits, async (stage) => {
		const { links } = stage.sandbox;
		const credential = await freshCredential(stage);
		const url = `${links.baseUrl}/api/campaigns?limit=${PAGE_SIZE}`;
		const getAll = { resource: 'campaign', operation: 'getAll', returnAll: true };
		const options = { pagination: PAGINATION };
		const start = startWith([{}]);
		const ours = await stored(stage, 'Return All', [...start, ourNode(credential, getAll)]);
		const pagination = httpRequest(credential, { url, options });
		const theirs = await stored(stage, 'Pagination', [...start, pagination]);
		const read = (run: () => Promise<NodeRun>, wanted: number) => async (): Promise<Reading> => {
			links.clearRequests();
			const { ms, succeeded } = await run();
			if (succeeded !== wanted) throw new Error(`${succeeded} items succeeded`);
			report(`${succeeded} items: ${ms} ms`);
			return { ms, requests: links.requests.length };
		};
		// HTTP Request returns one item per page, from which a workflow still has to split the rows.
		const variants = { ours: read(ours, ROWS), theirs: read(theirs, PAGES) };
		return await interleave(variants, rounds);
	});
	const { ours = [], theirs = [] } = measured;
	const times = (readings: Reading[]) => readings.map(({ ms }) => ms);
	const requests = (readings: Reading[]) => median(readings.map((reading) => reading.requests));
	const row = (name: string, readings: Reading[]) => ({
		[`${ROWS} rows`]: name,
		ms: rounded(median(times(readings))),
		requests: requests(readings),
	});
	return {
		setting: `${ROWS} rows, ${PAGE_SIZE} per page, ${LATENCY_MS} ms latency, no rate limit.`,
		rows: [row('Link Management, Return All', ours), row('HTTP Request, pagination', theirs)],
		targets: [
			target(ratio(times(theirs), times(ours)), 'at least', 5, 'Speed-up over HTTP Request'),
			target(requests(ours), 'at most', PAGES, 'Requests', 'requests'),
		],
	};
};
