import type { IDataObject, INode, INodeParameters } from 'n8n-workflow';

import { companyRegistry } from '../../../nodes/CompanyRegistry/api';
import { triggersOf } from '../../../nodes/CompanyRegistry/triggers';
import { systemClock } from '../../../nodes/shared/http/clock';
import { connectionOf } from '../../../nodes/shared/http/connection';
import type { Respond } from '../../fakeService';
import { callAsTool } from '../contexts';
import { jsonOf } from '../harness';
import { continuing, itemsOf, recordsOf, registryAt, registryOf } from '../support';
import {
	ALL,
	FIRST,
	SECOND,
	ago,
	enrichAt,
	enriching,
	numbered,
	texts,
	withQuota,
} from './enriching';
import { companyOf, ModelRegistry, resetClock, runNight, setNight } from './nightModel';

afterEach(resetClock);

describe('Enrich: the quota', () => {
	const names = ['alpinet', 'brumalux', 'cormiteh', 'dolinex'];
	const companies = names.map((name, index) => ({ idno: numbered(index + 10), name }));
	const rows = companies.map(({ idno }, id) => ({ id, idno }));

	it('returns all rows when the quota runs out, whatever On Error says, and rows that need no request as well', async () => {
		const all = [...rows, { id: 4, idno: '' }, { id: 5, idno: '1003600015232' }];
		const outcome = await enrichAt(withQuota(2, companies), all);
		expect(recordsOf(outcome).map((row) => row.match_status)).toEqual([
			...['found', 'found', 'notChecked', 'notChecked', 'notChecked', 'notFound'],
		]);
		expect(jsonOf(outcome.items)[3]).toMatchObject({
			id: 3,
			registry_changed: null,
			match_reason: expect.stringMatching(
				/^Waiting for the quota, which resets at \d\d:\d\d UTC\.$/,
			) as unknown,
		});
		expect(texts(outcome)).toEqual([
			expect.stringMatching(
				/^6 rows: 3 checked \(2 found, 1 not found\), 1 not looked up, 2 not checked yet\. Waiting for the quota, which resets at \d\d:\d\d UTC\. At this pace, the rest takes about 1 more run like this one\. \d requests sent\..*<br>Write registry_state back to your list/,
			),
		]);
	});

	it('a list that’s larger than the quota is done after some nights, since rows that were never checked go first', async () => {
		let list: IDataObject[] = names.map((company) => ({ company }));
		for (let night = 0; night < 2; night++) {
			list = recordsOf(await enrichAt(withQuota(2, companies), list)) as IDataObject[];
		}
		expect(list.map((row) => row.match_status)).toEqual(names.map(() => 'found'));
	});

	it('rows that were never checked come before a row whose date can’t be read', async () => {
		const [unreadable, ...never] = rows.map(({ idno }) => ({ idno }) as IDataObject);
		const list = [{ ...unreadable, registry_checked_at: 'no date' }, ...never];
		const results = recordsOf(await enrichAt(withQuota(3, companies), list));
		expect(results.map((row) => row.match_status)).toEqual([
			...['notChecked', 'found', 'found', 'found'],
		]);
	});

	it('a row that lacks only its recommendation goes first in the next night', async () => {
		const registry = new ModelRegistry();
		const [first, second] = [companyOf(1), companyOf(2)];
		for (const company of [first, second]) registry.set(company);
		const enrichRows = async (night: number, list: IDataObject[], quota: number) => {
			setNight(night);
			registry.begin({ quota });
			return (await runNight(registry, list, { addCredit: true })).rows;
		};
		const names = [{ Firma: first.name }, { Firma: second.name }];
		const results = await enrichRows(0, names, 3);
		await enrichRows(1, results, 1);
		expect(registry.requests).toEqual([expect.stringMatching(`/credit/.* ${second.idno}$`)]);
	});

	it.each<[string, INodeParameters, reason: string]>([
		['rate limit that it mustn’t wait for', { onRateLimit: 'fail' }, 'the rate limit.'],
		['canceled wait', {}, 'the next run, because this one was canceled.'],
	])(
		'after a %s, the rows that were checked longest ago are finished, and the rest keep their columns',
		async (...scenario) => {
			const [, options, reason] = scenario;
			const canceling = new AbortController();
			const respond: Respond = (request) => {
				if (request.number <= 2) return registryOf(companies)(request);
				setTimeout(() => canceling.abort(), 10);
				return { status: 429, headers: { 'retry-after': 30 }, body: {} };
			};
			const before = rows.map((row, index) => ({
				...row,
				match_status: 'notFound',
				registry_name: 'Old',
				registry_checked_at: [ago(3), ago(9), 'no date', ago(4)][index],
			})) as IDataObject[];
			const cancel = options.onRateLimit ? undefined : canceling.signal;
			const outcome = await enrichAt(respond, before, { options }, { cancel });
			const results = jsonOf(outcome.items);
			const names = results.map((row) => row.registry_name);
			expect(names).toEqual(['Old', 'brumalux', 'cormiteh', 'Old']);
			const kept = { ...before[0], match_reason: `Waiting for ${reason}`, registry_changed: null };
			expect(results[0]).toMatchObject(kept);
			expect(texts(outcome)[0]).toMatch(
				/^4 rows: 2 checked \(2 found\), 2 waiting with data from an earlier run\. Waiting/,
			);
			expect(texts(outcome).slice(1)).toEqual([
				expect.stringMatching(
					/^Rows came back without registry_state.*<br>"registry_checked_at" looks like a column/,
				),
			]);
		},
	);

	it.each([400, 422, 200])(
		'a search that the service rejects with HTTP %d is the row’s outcome',
		async (status) => {
			const body = { success: false, message: 'Query too short' };
			const respond: Respond = (request) =>
				['odd', SECOND].includes(request.query.get('q')!)
					? { status, body }
					: registryOf(ALL)(request);
			const known = { registry_idno: SECOND, registry_checked_at: ago(1) };
			const rows = [{ name: 'odd' }, { idno: FIRST }, { name: 'Vălmora', ...known }];
			const outcome = await enrichAt(respond, rows);
			expect(recordsOf(outcome)).toMatchObject([
				{
					match_status: 'notFound',
					registry_checked_at: expect.any(String) as unknown,
					match_reason: expect.stringMatching(/^Query too short\./) as unknown,
				},
				{ match_status: 'found' },
				// It says nothing about a known company.
				{
					match_status: 'found',
					registry_idno: SECOND,
					match_reason: expect.stringMatching(/^The check failed\. Query too short\./) as unknown,
				},
			]);
		},
	);

	const strangers = ['a1', 'b2', 'c3'].map((name) => ({ name }));
	const dated = strangers.map((row) => ({ ...row, registry_checked_at: ago(9) }));
	const answering = (status: number, body: unknown) => () => ({ status, body });

	it.each<[why: string, rows: IDataObject[], respond: Respond, said?: string]>([
		['the quota is used up', strangers, withQuota(0), "You've used up the quota"],
		['the quota is used up, although it was enough for earlier runs', dated, withQuota(0)],
		['the service fails', dated, answering(500, {}), 'returned a server error'],
		['a web page answers', strangers, answering(404, '<title>404</title>'), 'There is no Company'],
		[
			'the route is unknown',
			strangers,
			answering(404, { error: 'No such route' }),
			'No such route',
		],
		[
			'companies are nameless',
			strangers,
			answering(200, { success: true, data: [{ x: 1 }] }),
			'companies with a "name"',
		],
		['every row is rejected', strangers, answering(200, { success: false, message: 'Nu' }), 'Nu'],
	])('fails, unless it continues, if no row can be checked: %s', async (_, given, ...more) => {
		const [respond, said] = more;
		const { error } = await enrichAt(respond, given);
		expect(error === undefined).toBe(said === undefined);
		expect(`${error?.message} ${error?.description}`).toContain(said ?? '');
		const { items } = await enrichAt(respond, given, {}, continuing);
		expect(jsonOf(items)).toMatchObject(strangers);
	});

	it.each([
		['an invalid setting', { options: { skipRowsCheckedWithin: 'soon' } }, 'v1' as const],
		['the other API variant', { addCredit: true }, 'unversioned' as const],
	])('a row with %s keeps its columns beside the error if the node continues', async (...row) => {
		const [, parameters, variant] = row;
		const [found] = recordsOf(await enrichAt(registryOf(ALL), [{ idno: FIRST }]));
		const columns = Object.entries({ ...found, registry_changed: true });
		const renamed = Object.fromEntries(
			columns.map(([name, value]) => [
				/^(?:match|registry)_/.test(name) ? `${name}__c` : name,
				value,
			]),
		) as IDataObject;
		const enrichRows = async (settings: Partial<INode>) => {
			const rows = [renamed, { idno: FIRST, note: 'new' }];
			return jsonOf(
				(await enrichAt(registryOf(ALL), rows, parameters, { settings }, variant)).items,
			);
		};
		const error = expect.any(String) as unknown;
		expect(await enrichRows({ onError: 'continueRegularOutput' })).toEqual([
			{ ...found, registry_changed: null, registry_changes: null, error },
			{ idno: FIRST, note: 'new', error },
		]);
		// n8n's error output takes only items that have nothing but the error.
		expect(await enrichRows({ onError: 'continueErrorOutput' })).toEqual([]);
	});

	it('gives an agent only what says something about a company, and the reason if there’s none', async () => {
		const answerTo = async (respond: Respond, companyName: string) => {
			const { credential } = await registryAt(respond, 'v1');
			const credentials = { companyRegistryApi: credential };
			const parameters = enriching({ companyName });
			const calls = [{}, {}];
			return String((await callAsTool('companyRegistry', parameters, credentials, calls)).answers);
		};
		const found = await answerTo(registryOf(ALL), 'Zefirul');
		expect(found).toContain(FIRST);
		expect(found).not.toMatch(/registry_(?:state|changed|checked_at)|match_input/);
		const unnamed = await answerTo(registryOf(ALL), '={{ "-" }}');
		expect(unnamed).toContain('neither an IDNO nor a name');
		expect(await answerTo(withQuota(1), 'Zefirul')).toContain("You've used up the quota");
	});
});

describe('Enrich: an outage', () => {
	const companies = Array.from({ length: 40 }, (_, at) => ({
		idno: numbered(at + 10),
		name: `Zefirul${at}`,
		status: 'active',
	}));
	const rows = companies.map(({ idno }, id) => ({ id, idno }));
	const DOWN = { status: 500, body: { success: false } };
	const downAfter =
		(requests: number): Respond =>
		(request) =>
			request.number > requests ? DOWN : registryOf(companies)(request);

	it('an outage ends the requests of a run: rows that were checked come out, and the rest keep their columns', async () => {
		const before = rows.map((row) => ({
			...row,
			registry_name: 'Old',
			registry_checked_at: ago(9),
		}));
		const outcome = await enrichAt(downAfter(15), before);
		const results = recordsOf(outcome);
		expect(results).toHaveLength(40);
		expect(results.filter(({ registry_name }) => registry_name !== 'Old')).toHaveLength(15);
		for (const row of results) expect(row.registry_name).toBeTruthy();
		// Three failures, and what was under way.
		expect(outcome.paths.length).toBeLessThanOrEqual(28);
		expect(texts(outcome)[0]).toMatch(
			/15 checked again .* 13 waiting with data from an earlier run, \d+ failed\. Waiting for the next run, because requests are failing\. \d+ requests sent/,
		);
	});

	it('a failed check of one company is dated and told, is due again, and stops no other row', async () => {
		const odd = companies[1]!.idno;
		const respond: Respond = (request) =>
			request.query.get('q') === odd ? DOWN : registryOf(companies)(request);
		const outcome = await enrichAt(respond, rows.slice(0, 12));
		const [, failed] = recordsOf(outcome);
		expect(failed).toMatchObject({
			match_status: 'notChecked',
			match_reason: expect.stringMatching(/^The check failed\. .*server error/) as unknown,
			registry_checked_at: expect.any(String) as unknown,
		});
		expect(texts(outcome)[0]).toContain('12 rows: 11 checked (11 found), 1 failed.');
		const options = { skipRowsCheckedWithin: 30 };
		const again = await enrichAt(registryOf(companies), recordsOf(outcome), { options });
		expect(recordsOf(again)[1]).toMatchObject({ match_status: 'found', match_reason: '' });
		expect(again.paths).toHaveLength(1);
	});

	it('three rejected companies, or three failures between successes, aren’t an outage', async () => {
		const known = rows.map((row) => ({ ...row, registry_idno: row.idno }));
		const rejected = { status: 400, body: { success: false, message: 'Nu' } };
		for (const [answer, ...places] of [
			[rejected, 0, 1, 2],
			[DOWN, 0, 13, 26],
		] as const) {
			const odd = places.map((place) => companies[place]!.idno);
			const respond: Respond = (request) =>
				odd.includes(request.query.get('q')!) ? answer : registryOf(companies)(request);
			const [summary] = texts(await enrichAt(respond, known));
			expect(summary).toContain('40 rows: 37 checked (37 found), 3 failed.');
		}
	});

	it('three odd names that the service rejects fail the run only if none was ever accepted', async () => {
		const body = { success: false, message: 'Query too short' };
		const odd = ['3D', '4D', '5D'].map((name) => ({ name }));
		const reject: Respond = () => ({ status: 400, body });
		expect((await enrichAt(reject, odd)).error?.message).toContain('Query too short');
		const skipped = { idno: FIRST, registry_checked_at: ago(1) };
		const options = { skipRowsCheckedWithin: 30 };
		const rejectOdd: Respond = (request) =>
			/^.D$/i.test(request.query.get('q')!) ? { status: 400, body } : registryOf(ALL)(request);
		for (const more of [[...odd, skipped], [...odd, { idno: FIRST }], odd.slice(1)]) {
			const [row] = recordsOf(await enrichAt(rejectOdd, more, { options }));
			expect(row!.match_reason).toContain('Query too short');
		}
	});
});

describe('Enrich: what a run may send', () => {
	const rows = Array.from({ length: 30 }, (_, id) => ({ id, idno: numbered(id) }));

	it('a run sends no more than Maximum Requests', async () => {
		const outcome = await enrichAt(registryOf(ALL), rows, { options: { maximumRequests: 12 } });
		expect(outcome.paths).toHaveLength(12);
		expect(texts(outcome)[0]).toContain(
			'18 not checked yet. Waiting for the next run, because of "Maximum Requests" (12). At this pace, the rest takes about 2 more runs like this one. 12 requests sent.',
		);
		expect((await enrichAt(registryOf(ALL), rows)).paths).toHaveLength(30);
	});

	it('a run with few requests finishes a row before it begins another, so none of them is spent in vain', async () => {
		const unknown = rows.map(({ id }) => ({ id, company: `Morenita Brumalux ${id}` }));
		const options = { maximumRequests: 10 };
		const results = recordsOf(await enrichAt(registryOf(ALL), unknown, { options }));
		const finished = results.filter(({ match_status: status }) => status === 'notFound');
		expect(finished.length).toBeGreaterThanOrEqual(5);
	});

	it.each([
		['nobody else', 0, 0, 15],
		['other nodes', 6, 0, 15 - 6],
		['the triggers themselves', 0, 3, 15],
		['other nodes and the triggers', 6, 5, 15 - 6],
	])(
		'a run leaves the key’s triggers what they need for a day, of which %s has spent a part, even beside another run',
		async (_, byOthers, byTriggers, sent) => {
			const { run, credential, requests } = await registryAt(registryOf(ALL), 'v1');
			const credentials = { companyRegistryApi: { ...credential, requestsPerDay: 20 } };
			const node = { name: 'Enrich' } as INode;
			const { account, limiter } = connectionOf(
				node,
				companyRegistry,
				credentials.companyRegistryApi,
			);
			const now = systemClock.now();
			for (const at of [now - 86_400_000, now]) {
				triggersOf(account).notePoll('trigger', { at, perDay: 16, perPoll: 5 });
			}
			for (let at = 0; at < byOthers; at++) limiter.ledger.note(now);
			for (let at = 0; at < byTriggers; at++) limiter.ledger.note(now, 'trigger');
			const enrichRows = async () =>
				await run(enriching({}), { items: itemsOf(...rows), credentials });
			const outcomes = await Promise.all([enrichRows(), enrichRows()]);
			expect(requests).toHaveLength(sent);
			const notices = outcomes.flatMap(texts).join();
			expect(notices).toContain(
				"tomorrow's quota, because the rest of today's is reserved for triggers",
			);
			expect(notices).toContain('To reserve less, lower their "Daily Request Budget"');
		},
	);
});

describe('Enrich in a loop', () => {
	const registry = new ModelRegistry();
	const batch = async (requests: number, around: Parameters<typeof runNight>[3] = {}) => {
		registry.begin({ quota: requests });
		const rows = [1, 2].map((number) => ({ IDNO: numbered(number) }));
		return await runNight(registry, rows, {}, { loop: 'around', ...around });
	};

	it('a batch never fails the run, because another one may have been checked', async () => {
		for (const requests of [5, 0]) expect((await batch(requests)).error).toBeUndefined();
	});

	it('a batch says that the loop is in the way, and not how long the rest takes', async () => {
		const textsOf = async (around = {}) =>
			(await batch(1, around)).hints.map(({ message }) => message).join();
		const texts = await textsOf();
		expect(texts).toContain('Without the loop, one run works through the whole list');
		expect(texts).not.toContain('At this pace');
		expect(await textsOf({ loop: 'before' })).toContain('At this pace');
	});
});
