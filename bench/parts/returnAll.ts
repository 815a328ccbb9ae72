import { NO_LIMIT, openStage } from '../host/stage';
import { Chain, httpRequest, linkManagement, type NodeRun } from '../host/workflows';
import { heapAndBuffers, MEGABYTE, peakGrowth } from '../host/samples';
import { atLeast, atMost, rounded, type Findings, type Part } from '../part';
import { interleave, median, ratio } from '../statistics';

const ROWS = 5_000;
const PAGE_SIZE = 100;
const PAGES = ROWS / PAGE_SIZE;
const LATENCY_MS = 50;

interface Reading {
	ms: number;
	requests: number;
	/** Bytes above what n8n held before the execution. */
	memory: number;
}

/** All rows of a long list from a service that is not next door. */
export const returnAll: Part = {
	name: 'returnAll',
	title: 'Return All',
	async run({ rounds, report }) {
		const stage = await openStage({
			rateLimit: { limit: NO_LIMIT },
			counts: { campaigns: ROWS },
			maxPageSize: PAGE_SIZE,
			latencyMs: LATENCY_MS,
		});
		try {
			const { api, probe, sandbox } = stage;
			const credential = await stage.freshLinkCredential();
			const url = `${sandbox.links.baseUrl}/api/campaigns?limit=${PAGE_SIZE}`;
			const chains = {
				ours: await Chain.store(api, 'Return All', [
					linkManagement(credential, {
						resource: 'campaign',
						operation: 'getAll',
						returnAll: true,
					}),
				]),
				theirs: await Chain.store(api, 'Pagination', [
					httpRequest(credential, { url, options: { pagination: PAGINATION } }),
				]),
			};
			const read = (chain: Chain, wanted: number) => async (): Promise<Reading> => {
				sandbox.links.clearRequests();
				const { result, samples } = await probe.sampledDuring(async () => await chain.run());
				const reading = readingOf(result, peakGrowth(samples, result, heapAndBuffers));
				if (result.succeeded !== wanted) throw new Error(`${result.succeeded} items succeeded`);
				report(`${chain.last}: ${reading.ms} ms`);
				return { ...reading, requests: sandbox.links.requests.length };
			};
			// HTTP Request returns one item per page, from which a workflow still has to split the rows.
			const variants = { ours: read(chains.ours, ROWS), theirs: read(chains.theirs, PAGES) };
			return findings(await interleave(variants, rounds));
		} finally {
			await stage.close();
		}
	},
};

/** As n8n's documentation shows it for a service with page numbers. */
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

function readingOf({ ms }: NodeRun, memory: number): Reading {
	return { ms, requests: 0, memory };
}

function findings(measured: Record<string, Reading[]>): Findings {
	const { ours = [], theirs = [] } = measured;
	const times = (readings: Reading[]) => readings.map(({ ms }) => ms);
	const memory = (readings: Reading[]) => median(readings.map((reading) => reading.memory));
	const row = (name: string, readings: Reading[]) => ({
		[`${ROWS} rows`]: name,
		ms: rounded(median(times(readings))),
		requests: median(readings.map(({ requests }) => requests)),
		'peak memory, MB': rounded(memory(readings) / MEGABYTE),
	});
	return {
		setting: `${ROWS} rows, ${PAGE_SIZE} a page, ${LATENCY_MS} ms latency, no rate limit. Memory: the highest heap and buffers of the n8n process while the node ran, minus those before the execution.`,
		rows: [row('Link Management, Return All', ours), row('HTTP Request, pagination', theirs)],
		targets: [
			atLeast(5, ratio(times(theirs), times(ours)), 'As fast as HTTP Request'),
			atMost(PAGES, median(ours.map(({ requests }) => requests)), 'Requests', 'requests'),
			atMost(1.5, memory(ours) / memory(theirs), 'Memory of HTTP Request'),
		],
		raw: measured,
	};
}
