import type { IDataObject } from 'n8n-workflow';

import type { PreparedEvent, TriggerEvent } from '../../../../nodes/LinkCompanyTrigger/event';
import { companyStatusChanged } from '../../../../nodes/LinkCompanyTrigger/events/companyStatusChanged';
import { PageReader } from '../../../../nodes/LinkCompanyTrigger/pageReader';
import { forgetEverything } from '../../../../nodes/LinkCompanyTrigger/pollCache';
import type { PollClient } from '../../../../nodes/LinkCompanyTrigger/pollClient';
import type { ApiRequest } from '../../../../nodes/shared/http/sendRequest';

/**
 * What the trigger costs: requests of polls, and bytes of what it remembers. Each row is printed
 * with VERBOSE=1, and held to its promise either way.
 */
const rows: Array<Record<string, unknown>> = [];

afterAll(() => {
	if (process.env.VERBOSE) console.table(rows);
});

type Answer = (request: ApiRequest) => IDataObject;

/** The polls of an event over a service in memory. */
class Bench {
	requests = 0;
	private state: unknown;
	private readonly prepared: PreparedEvent<unknown>;
	private readonly client: PollClient;

	constructor(
		private readonly event: TriggerEvent,
		parameters: IDataObject,
		answer: Answer,
	) {
		this.prepared = event.prepare({
			parameter: <T>(name: string, fallback: T) => (parameters[name] as T) ?? fallback,
			trigger: JSON.stringify(parameters),
			utcOffsetMinutes: 0,
			warn: (message) => {
				throw new Error(message);
			},
			info() {},
		});
		this.client = {
			baseUrl: '',
			settings: { variant: 'v1', plan: 'enterprise', requestsPerDay: 1_000_000 },
			apiKey: '',
			identity: '',
			beforeAttempt: () => {},
			perMinute: () => 60,
			send: async (request) => {
				this.requests++;
				this.client.beforeAttempt();
				return answer(request);
			},
			page: async () => ({ rows: [] }),
		};
	}

	/** @returns requests and events of one poll */
	async poll(): Promise<{ requests: number; events: number }> {
		this.requests = 0;
		const reader = new PageReader({ over: false });
		const stored = this.state === undefined ? undefined : this.event.state().parse(this.state);
		const first = stored === undefined;
		const more = { firstPublication: first, revision: '' };
		const run = { client: this.client, reader, emitExisting: false, ...more };
		const { state, events } = await this.prepared.poll(stored, run);
		if (reader.failure) throw reader.failure;
		this.state = JSON.parse(JSON.stringify(state));
		return { requests: this.requests, events: events.length };
	}

	/** Of what the event remembers, as JSON. */
	get bytes(): number {
		return Buffer.byteLength(JSON.stringify(this.state));
	}
}

beforeEach(forgetEverything);

describe('companies', () => {
	const fields = ['status', 'rating', 'score', 'insolvencyRisk', 'recommendedLimitMdl'];
	const idnos = (count: number) =>
		Array.from({ length: count }, (_, index) => String(1_000_600_000_000 + index * 2_503_117));

	function company(idno: string): IDataObject {
		const seed = Number(idno) % 9_973;
		return {
			idno,
			name: `Company ${idno}`,
			status: ['active', 'suspended', 'in_liquidation', 'deregistered'][seed % 4],
			scoring: {
				rating: 'ABCDEF'[seed % 6],
				score: seed % 101,
				insolvency_risk: ['low', 'moderate', 'elevated', 'high'][seed % 4],
			},
			trade_credit_recommendation: { recommended_limit_mdl: seed * 1_500 },
		};
	}

	it.each([
		[10, ['status']],
		[10_000, ['status']],
		[10_000, fields],
	])('of a watch list cost a request and at most 32 bytes each: %i, %j', async (count, watched) => {
		const parameters = {
			watch: 'text',
			watchListText: idnos(count),
			fieldsToWatch: watched,
			options: { checkDigit: false },
		};
		const bench = new Bench(companyStatusChanged, parameters, ({ values = {} }) => ({
			success: true,
			...company(values.idno!),
		}));
		const first = await bench.poll();
		expect(first).toEqual({ requests: count, events: 0 });
		const perCompany = bench.bytes / count;
		if (count >= 10_000) expect(perCompany).toBeLessThanOrEqual(32);
		rows.push({
			what: `${count} companies, ${watched.length} fields`,
			'first poll': first.requests,
			bytes: bench.bytes,
			'bytes each': perCompany.toFixed(1),
		});
	});

	it('of a search cost one request per 50', async () => {
		const found = idnos(1_000).map(company);
		const parameters = { watch: 'search', searchFilters: { q: 'Company' } };
		const bench = new Bench(companyStatusChanged, parameters, ({ query = {} }) => {
			const at = (Number(query.page ?? 1) - 1) * 50;
			return { success: true, total: found.length, data: found.slice(at, at + 50) };
		});
		await bench.poll();
		const quiet = await bench.poll();
		expect(quiet).toEqual({ requests: 20, events: 0 });
		rows.push({
			what: '1000 companies of a search',
			'quiet poll': quiet.requests,
			bytes: bench.bytes,
		});
	});
});
