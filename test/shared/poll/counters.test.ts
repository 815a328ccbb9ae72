import type { IDataObject } from 'n8n-workflow';

import { survivesHistories } from './histories';
import { HostileList } from './hostileList';
import { hours, type Answer } from './pollModel';
import { Watch, watching as watchingEvent } from './watch';

const EVENT = { event: 'qrCodeScanned' };

const watching = async (codes: number, scans: number, parameters: IDataObject = {}) =>
	await watchingEvent({ ...EVENT, ...parameters }, codes, { counter: scans });

function scan({ list }: Watch, id: unknown, times = 1): void {
	list.rows.find((row) => row.id === id)!.count += times;
}

/** The scans that were emitted for each code, by ID. */
function emitted({ events }: Watch): Map<unknown, number> {
	const scans = new Map<unknown, number>();
	for (const { id, newScans } of events) scans.set(id, (scans.get(id) ?? 0) + Number(newScans));
	return scans;
}

it('counts a new code from 0, and one that was hidden for days from its last number', async () => {
	const watch = await watching(250, 7);
	const hidden = watch.list.rows[4]!;
	watch.list.rows = watch.list.rows.filter((row) => row !== hidden);
	await hours(60, watch);
	watch.list.rows = [hidden, ...watch.list.rows];
	expect(await watch.poll()).toEqual([]);
	const [id] = watch.list.add();
	scan(watch, id, 3);
	expect(await watch.poll()).toMatchObject([{ id, newScans: 3 }]);
	scan(watch, hidden.id);
	expect(await watch.poll()).toMatchObject([{ id: hidden.id, newScans: 1 }]);
});

it('counts each scan once if a poll shows a code on two pages', async () => {
	const watch = await watching(150, 7);
	const page = watch.list.page.bind(watch.list);
	const rowsOf = ({ body }: Answer) => (body as { data: { qrs: unknown[] } }).data.qrs;
	// The second page shows the newest code once more, after two scans.
	watch.list.page = (asked) => {
		const answer = page(asked, 'qrs');
		if (asked === 1) return answer;
		scan(watch, 150, 2);
		rowsOf(answer).push(rowsOf(page(1, 'qrs'))[0]);
		return answer;
	};
	scan(watch, 150);
	expect(await watch.poll()).toMatchObject([{ id: 150, newScans: 1, previousScans: 7 }]);
	expect(await watch.poll()).toMatchObject([{ id: 150, newScans: 2, previousScans: 8 }]);
});

it.each([
	['Scans', 'qrCodeScanned'],
	['Downloads', 'fileDownloaded'],
])('adds up %s until the minimum, and keeps them when the minimum changes', async (noun, event) => {
	const watch = await watchingEvent({ event, [`minimum${noun}`]: 5 }, 10);
	scan(watch, 1, 4);
	expect(await watch.poll()).toEqual([]);
	watch.setting.parameters[`minimum${noun}`] = 4;
	expect(await watch.poll()).toMatchObject([{ id: 1, [`new${noun}`]: 4 }]);
});

it('doesn’t emit downloads from before a file’s name matched', async () => {
	const parameters = { event: 'fileDownloaded', name: 'record 1' };
	const watch = await watchingEvent(parameters, 3, { counter: 5 });
	expect(await watch.test()).toMatchObject({ id: 1 });
	scan(watch, 2, 4);
	expect(await watch.poll()).toEqual([]);
	// A single poll can show a lower number.
	watch.list.rows[1]!.count = 0;
	expect(await watch.poll()).toEqual([]);
	watch.list.rows[1]!.count = 9;
	watch.setting.parameters.name = 'record 2';
	expect(await watch.poll()).toEqual([]);
	scan(watch, 2);
	expect(await watch.poll()).toMatchObject([{ id: 2, newDownloads: 1, previousDownloads: 9 }]);
});

it.each([
	['a new code', null, 9],
	['a new code', undefined, 9],
	['a known code', null, 2],
	['a known code', undefined, 2],
])('counts on for %s whose count was %s in one poll', async (which, none, newScans) => {
	const watch = await watching(3, 7);
	if (which === 'a new code') watch.list.add();
	const row = watch.list.rows.at(which === 'a new code' ? -1 : 0)!;
	row.count = none as unknown as number;
	expect(await watch.poll()).toEqual([]);
	row.count = 9;
	expect(await watch.poll()).toMatchObject([{ id: row.id, newScans }]);
});

it.each([
	['from 0 if the first reading shows null', null, [0, 2]],
	['from the first number if the first reading shows a blank', '', [2]],
	['from the first number if the first reading lacks it', undefined, [2]],
])('counts %s', async (_, first, previous) => {
	const list = new HostileList();
	list.add();
	list.rows[0]!.count = first as unknown as number;
	const watch = new Watch(list, { ...EVENT });
	await watch.publish();
	for (const count of [2, 3]) {
		watch.list.rows[0]!.count = count;
		await watch.poll();
	}
	expect(watch.events.map(({ previousScans }) => previousScans)).toEqual(previous);
});

it('emits nothing because counters are blank for a while', async () => {
	const watch = await watching(3, 7);
	for (const blank of ['', ' ', null, false, [], {}, 'n/a']) {
		for (const row of watch.list.rows) row.count = blank as number;
		expect(await watch.poll()).toEqual([]);
		for (const row of watch.list.rows) row.count = 7;
		expect(await watch.poll()).toEqual([]);
	}
	watch.list.rows[0]!.count = '9' as unknown as number;
	expect(await watch.poll()).toMatchObject([{ scans: 9, previousScans: 7 }]);
});

/** Selects codes by ID. */
const selecting = (...ids: number[]) => ({
	qrCodes: 'chosen',
	chosenQrCodes: { code: ids.map((id) => ({ qrCodeId: { value: String(id) } })) },
});

describe('Selected QR codes', () => {
	it('reads the list only until it has shown the selected codes', async () => {
		const watch = await watching(8_000, 5, selecting(7_850, 7_999));
		for (const id of [3, 7_850, 7_999]) scan(watch, id);
		expect(await watch.poll()).toMatchObject([{ id: 7_850 }, { id: 7_999, newScans: 1 }]);
		expect(watch.requests).toBe(2);
	});

	it('keeps watching the rest if a selected code is deleted, and warns once of each that is missing', async () => {
		const named = (id: number, cachedResultName: string) => ({
			qrCodeId: { __rl: true, mode: 'list', value: String(id), cachedResultName },
		});
		const code = [named(299, 'Menu'), named(2, 'Sign'), named(999, 'Poster')];
		const watch = await watching(300, 5, { qrCodes: 'chosen', chosenQrCodes: { code } });
		watch.list.rows = watch.list.rows.filter(({ id }) => id !== 2);
		for (const times of [1, 2]) {
			scan(watch, 299, times);
			expect(await watch.poll()).toMatchObject([{ id: 299, newScans: times }]);
		}
		expect(watch.errors).toEqual([]);
		expect(watch.warnings).toEqual([
			`Trigger (QR Code Scanned): These selected QR codes don't exist: "Poster" (ID 999)`,
			`Trigger (QR Code Scanned): These selected QR codes don't exist: "Sign" (ID 2)`,
		]);
	});

	it('in a list that takes two polls, warns only of the code that neither has shown', async () => {
		const watch = await watching(300, 5, selecting(2, 299));
		Object.assign(watch.setting.parameters, selecting(2, 299, 999));
		await watch.poll(1);
		await watch.poll();
		expect(watch.requests).toBe(2);
		expect(watch.warnings).toEqual([expect.stringContaining("don't exist: ID 999")]);
	});

	it('each of two triggers warns of the same missing code', async () => {
		for (const watch of [
			await watching(9, 5, selecting(1, 99)),
			await watching(9, 5, selecting(1, 99)),
		]) {
			expect(watch.warnings).toEqual([expect.stringContaining("don't exist: ID 99")]);
		}
	});

	it('scans that haven’t reached the minimum still count after a change from All to Selected', async () => {
		const watch = await watching(9, 5, { minimumScans: 3 });
		scan(watch, 4, 2);
		await watch.poll();
		Object.assign(watch.setting.parameters, selecting(4));
		scan(watch, 4);
		expect(await watch.poll()).toMatchObject([{ id: 4, newScans: 3, previousScans: 5 }]);
	});

	it('emits no code that is only added by a change to All', async () => {
		const watch = await watching(250, 5, selecting(3));
		watch.setting.parameters.qrCodes = 'all';
		scan(watch, 3);
		expect(await watch.poll()).toMatchObject([{ id: 3, newScans: 1 }]);
		const [added] = watch.list.add(1, 2);
		scan(watch, 7);
		expect(await watch.poll()).toMatchObject([
			{ id: 7, newScans: 1 },
			{ id: added, newScans: 2 },
		]);
		expect([...emitted(watch).keys()]).toEqual([3, 7, added]);
	});

	it('names a selected code that was deleted in the error of the sample event, and when publishing', async () => {
		const watch = await watching(5, 0, selecting(1, 4));
		watch.list.rows = watch.list.rows.filter(({ id }) => id !== 4);
		await expect(watch.test()).rejects.toThrow("These selected QR codes don't exist: ID 4");
		await expect(watching(5, 0, selecting(999))).rejects.toThrow(
			"These selected QR codes don't exist: ID 999",
		);
	});

	it.each([
		['newest first', 7],
		['oldest first', 240],
	] as const)(
		'a code that is selected later counts from its current number in a list with the %s',
		async (shown, later) => {
			const order = shown === 'newest first' ? 'newestFirst' : 'oldestFirst';
			const parameters = { ...EVENT, ...selecting(3) };
			const watch = await watchingEvent(parameters, 300, { counter: 5, order });
			await watch.poll();
			Object.assign(watch.setting.parameters, selecting(3, later));
			await watch.poll();
			await watch.poll();
			expect(watch.events).toEqual([]);
			scan(watch, later);
			expect(await watch.poll()).toMatchObject([{ id: later, newScans: 1, previousScans: 5 }]);
			Object.assign(watch.setting.parameters, selecting(3));
			await watch.poll();
			scan(watch, later, 4);
			Object.assign(watch.setting.parameters, selecting(3, later));
			expect(await watch.poll()).toEqual([]);
		},
	);
});

it.each([
	['after a reset', [40, 0, 3, 5], [3, 2]],
	['after a correction', [500, 480, 483], [3]],
	['if it keeps falling', [40, 10, 5, 7], [2]],
	['unless only one poll shows it', [40, 0, 40, 41, 0, 41], [1]],
])('counts from the lower number %s', async (_, counts, scans) => {
	const watch = await watching(1, counts[0]!);
	for (const count of counts) {
		watch.list.rows[0]!.count = count;
		await watch.poll();
	}
	expect(watch.events.map(({ newScans }) => newScans)).toEqual(scans);
});

describe('Sample event for scans', () => {
	it('finds a scanned code on the fifth page', async () => {
		const watch = await watching(60, 0);
		watch.list.habits.pageSize = 10;
		scan(watch, 12, 3);
		const sample = (await watch.test())!;
		expect(Object.entries(sample).slice(0, 5)).toEqual([
			['id', 12],
			['name', 'Sample: record 12'],
			['newScans', 1],
			['scans', 3],
			['previousScans', 2],
		]);
	});

	it('a sample event is looked for only among the selected codes', async () => {
		const watch = await watching(300, 0, selecting(299));
		const before = watch.list.requests;
		await expect(watch.test()).rejects.toThrow('None of the watched QR codes');
		expect(watch.list.requests - before).toBe(1);
	});

	it.each([
		['qrCodeScanned', 'None of the watched QR codes has been scanned yet'],
		['fileDownloaded', 'None of the watched files has been downloaded yet'],
	])('%s reads the whole list before it says “%s”, and names the newest', async (event, text) => {
		const watch = await watchingEvent({ event }, 60, { counter: 0, pageSize: 10 });
		await expect(watch.test()).rejects.toMatchObject({
			message: expect.stringContaining(text),
			description: expect.stringContaining('e.g. "record 60"'),
		});
	});

	it.each([
		['fileCreated', {}, 'There are no files yet'],
		['fileDownloaded', {}, 'There are no files yet'],
		['fileDownloaded', { name: 'cat' }, 'No file has a name that contains "cat"'],
		['qrCodeCreated', {}, 'There are no QR codes yet'],
		['qrCodeScanned', {}, 'There are no QR codes yet'],
		['channelItemAdded', { channelId: '7' }, 'The channel has no items yet'],
	])(
		'%s with %j finds no sample event in an empty list and says “%s”',
		async (event, parameters, text) => {
			const watch = new Watch(new HostileList(), { event, ...parameters });
			await expect(watch.test()).rejects.toThrow(text);
		},
	);
});

it.each([
	[
		'an unknown choice of',
		{ qrCodes: 'some' },
		'The parameter "QR Codes" must be one of all, chosen',
	],
	['no selected', { qrCodes: 'chosen', chosenQrCodes: {} }, 'No QR codes are selected'],
	[
		'blank',
		{ qrCodes: 'chosen', chosenQrCodes: { code: [{ qrCodeId: '' }] } },
		'The parameter "QR Code" is empty',
	],
])('fails to publish with %s codes instead of watching all of them', async (...row) => {
	const [, parameters, message] = row;
	await expect(watching(5, 0, parameters)).rejects.toThrow(message);
});

describe('IDs that aren’t numbers', () => {
	const add = ({ list }: Watch, count: number, scans: number) => {
		const ids = list.add(count, scans);
		for (const row of list.rows) if (ids.includes(row.id)) row.id = `code ${row.id}` as never;
	};

	it('a new code whose ID isn’t a number is counted from 0, an existing one from its first number', async () => {
		const watch = new Watch(new HostileList(), { ...EVENT });
		add(watch, 150, 7);
		await watch.publish();
		await hours(2, watch);
		add(watch, 1, 2);
		expect(await hours(2, watch)).toMatchObject([{ id: 'code 151', newScans: 2 }]);
	});

	it('a code whose ID isn’t a number emits no scan if it moves to an earlier page during the first reading', async () => {
		const list = new HostileList({ counters: 'silent', order: 'oldestFirst', pageSize: 10 });
		const watch = new Watch(list, { ...EVENT });
		add(watch, 30, 7);
		let requests = 0;
		list.before = () => void (++requests === 2 && list.deleteAt(0));
		expect([...(await watch.publish()), ...(await hours(2, watch))]).toEqual([]);
	});
});

it.each(['classic', 'durable'] as const)(
	'never loses, repeats or invents a scan, however the service behaves (%s scheduler)',
	async (scheduler) => {
		await survivesHistories({
			...EVENT,
			scheduler,
			// Waits are too short for a code to be forgotten, so all scans count.
			maxHours: 1,
			numRuns: 5,
			ledgerOf(watch) {
				/** Scans since the last baseline began, by ID. */
				const made = new Map<unknown, number>();
				/** Scans since the trigger has known a code's number, by ID. */
				const owed = new Map<unknown, number>();
				/** IDs of codes that are newer than the baseline, and of those whose numbers are known and stored. */
				const newer = new Set<number>();
				let [known, stored] = [new Set<string>(), new Set<string>()];
				const countedIn = (data?: IDataObject) => new Set(Object.keys(data?.counts ?? {}));
				return {
					added(id) {
						made.set(id, 0);
						newer.add(id);
					},
					requested(place) {
						const { rows } = watch.list;
						const { id } = rows[Math.floor(place * rows.length)] ?? {};
						if (id === undefined) return;
						scan(watch, id);
						made.set(id, (made.get(id) ?? 0) + 1);
						owed.set(id, (owed.get(id) ?? 0) + 1);
					},
					polled() {
						// What was scanned before the poll that showed a code first, isn't news.
						for (const id of owed.keys()) {
							if (!newer.has(Number(id)) && !known.has(String(id))) owed.delete(id);
						}
						known = countedIn(watch.data);
						stored = countedIn(watch.storedData);
					},
					restarted(wasReady) {
						known = stored;
						if (!wasReady) newer.clear();
						// The durable scheduler doesn't store the state of the publication.
						if (!watch.data) made.clear();
					},
					ended() {
						const scans = emitted(watch);
						const there = new Set<unknown>(watch.list.rows.map(({ id }) => id));
						const wrong = [...scans].filter(([id, number]) => number > (made.get(id) ?? 0));
						const lost = [...owed].filter(
							([id, number]) => there.has(id) && number > (scans.get(id) ?? 0),
						);
						expect({ lost, wrong }).toEqual({ lost: [], wrong: [] });
					},
				};
			},
		});
	},
	600_000,
);
