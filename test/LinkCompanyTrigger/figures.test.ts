import type { IDataObject } from 'n8n-workflow';

import type { Access } from '../../nodes/LinkCompanyTrigger/pollClient';
import { companyStatusChanged } from '../../nodes/LinkCompanyTrigger/events/companyEvent';
import type { Prepared, TriggerEvent } from '../../nodes/LinkCompanyTrigger/events/event';
import { fileCreated } from '../../nodes/LinkCompanyTrigger/events/fileEvent';
import { qrCodeScanned } from '../../nodes/LinkCompanyTrigger/events/qrCodeEvent';
import { Reading } from '../../nodes/LinkCompanyTrigger/events/reading';
import { forgetEverything } from '../../nodes/LinkCompanyTrigger/pollCache';
import type { Stored } from '../../nodes/LinkCompanyTrigger/state';
import type { ApiRequest } from '../../nodes/shared/http/sendRequest';

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
	private stored: Stored = { polledBefore: false };
	private readonly prepared: Prepared;
	private readonly access: Access;

	constructor(event: TriggerEvent, parameters: IDataObject, answer: Answer) {
		this.prepared = event.prepare({
			parameter: <T>(name: string, fallback: T) => (parameters[name] as T) ?? fallback,
			trigger: JSON.stringify(parameters),
			utcOffsetMinutes: 0,
			warn: (message) => {
				throw new Error(message);
			},
		});
		this.access = {
			settings: { variant: 'v1', plan: 'enterprise', requestsPerDay: 1_000_000 },
			secretIdentity: '',
			onRequest: () => undefined,
			perMinute: () => 60,
			send: async (request) => {
				this.requests++;
				this.access.onRequest();
				return answer(request);
			},
		};
	}

	/** @returns requests and events of one poll */
	async poll(): Promise<{ requests: number; events: number }> {
		this.requests = 0;
		const reading = new Reading({ over: false });
		const { data, kept, events } = await this.prepared.poll(this.stored, this.access, reading);
		if (reading.failure) throw reading.failure;
		this.stored = JSON.parse(JSON.stringify({ polledBefore: true, data, kept })) as Stored;
		return { requests: this.requests, events: events.length };
	}

	/** Of what the event remembers, as JSON. */
	get bytes(): number {
		return Buffer.byteLength(JSON.stringify(this.stored.data));
	}
}

beforeEach(forgetEverything);

function page<T>(all: readonly T[], { query = {} }: ApiRequest, key: string): IDataObject {
	const perpage = Math.min(Number(query.limit), 100);
	const currentpage = Number(query.page);
	const maxpage = Math.max(1, Math.ceil(all.length / perpage));
	return {
		error: 0,
		result: all.length,
		perpage,
		currentpage,
		nextpage: currentpage < maxpage ? currentpage + 1 : null,
		maxpage,
		[key]: all.slice(
			(currentpage - 1) * perpage,
			currentpage * perpage,
		) as unknown as IDataObject[],
	};
}

describe.each(['newest first', 'oldest first'])('files, %s', (order) => {
	it.each([10, 10_000, 100_000, 99_999, 65_536, 27_720])(
		'cost one request per quiet poll at %i of them, and a state of constant size',
		async (count) => {
			const ids = Array.from({ length: count }, (_, index) => index + 1);
			const list = (): Array<{ id: number }> => {
				const records = ids.map((id) => ({ id }));
				return order === 'newest first' ? records.reverse() : records;
			};
			let shown = list();
			const bench = new Bench(fileCreated, {}, (request) => page(shown, request, 'list'));
			const first = await bench.poll();
			const quiet = await bench.poll();
			expect(quiet).toEqual({ requests: 1, events: 0 });
			expect(bench.bytes).toBeLessThan(250);
			ids.push(count + 1, count + 2);
			shown = list();
			const news = await bench.poll();
			expect(news).toEqual({ requests: 1, events: 2 });
			expect(await bench.poll()).toEqual({ requests: 1, events: 0 });
			rows.push({
				what: `${count} files, ${order}`,
				'first poll': first.requests,
				'quiet poll': quiet.requests,
				'2 new': news.requests,
				bytes: bench.bytes,
			});
		},
	);
});

describe('files without an order', () => {
	it.each([10, 10_000])('cost a sweep per poll at %i of them', async (count) => {
		const shown = Array.from({ length: count }, (_, index) => ({
			id: ((index * 7919) % count) + 1,
		}));
		const bench = new Bench(fileCreated, {}, (request) => page(shown, request, 'list'));
		const first = await bench.poll();
		const quiet = await bench.poll();
		expect(quiet.events).toBe(0);
		expect(quiet.requests).toBeLessThanOrEqual(Math.ceil((count / 100) * 1.2));
		expect(bench.bytes).toBeLessThan(250);
		rows.push({
			what: `${count} files, no order`,
			'first poll': first.requests,
			'quiet poll': quiet.requests,
			bytes: bench.bytes,
		});
	});
});

describe('QR codes', () => {
	it.each([
		[10, 'small ids', 1],
		[10_000, 'small ids', 1],
		[10_000, 'ids with gaps, many scans', 99_991],
	])('cost a request per 100 and at most 16 bytes each: %i, %s', async (count, kind, gap) => {
		const codes = Array.from({ length: count }, (_, index) => ({
			id: (index + 1) * gap,
			scans: gap === 1 ? index % 500 : 1_000_000 + index * 37,
		}));
		const bench = new Bench(qrCodeScanned, {}, (request) => ({
			error: '0',
			data: page(codes, request, 'qrs'),
		}));
		await bench.poll();
		const quiet = await bench.poll();
		expect(quiet).toEqual({ requests: Math.ceil(count / 100), events: 0 });
		const perCode = bench.bytes / count;
		if (count >= 10_000) expect(perCode).toBeLessThanOrEqual(16);
		rows.push({
			what: `${count} QR codes, ${kind}`,
			'quiet poll': quiet.requests,
			bytes: bench.bytes,
			'bytes each': perCode.toFixed(1),
		});
	});
});

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

	it('of a search cost a request for 50', async () => {
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
