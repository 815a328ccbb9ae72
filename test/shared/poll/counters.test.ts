import type { IDataObject } from 'n8n-workflow';

import { survivesHistories } from './histories';
import { hours } from './pollModel';
import { watching as watchingEvent } from './watch';
import type { Watch } from './watch';

const EVENT = { event: 'qrCodeScanned' };

const watching = async (codes: number, scans: number, parameters: IDataObject = {}) =>
	await watchingEvent({ ...EVENT, ...parameters }, codes, { counter: scans });

function scan({ list }: Watch, id: unknown, times = 1): void {
	list.rows.find((row) => row.id === id)!.count += times;
}

/** By id: the scans that were emitted. */
function emitted({ events }: Watch): Map<unknown, number> {
	const scans = new Map<unknown, number>();
	for (const { id, newScans } of events) scans.set(id, (scans.get(id) ?? 0) + Number(newScans));
	return scans;
}

it('emits the scans since the last event, with the count before', async () => {
	const watch = await watching(250, 7);
	scan(watch, 3, 2);
	expect(await watch.poll()).toMatchObject([{ id: 3, scans: 9, previousScans: 7, newScans: 2 }]);
	expect(await watch.poll()).toEqual([]);
});

it('counts a new code from 0, and one that was not shown before from its current number', async () => {
	const watch = await watching(250, 7);
	const hidden = watch.list.rows[4]!;
	watch.list.rows = watch.list.rows.filter((row) => row !== hidden);
	// Forgotten after a day.
	await hours(60, watch);
	watch.list.rows = [hidden, ...watch.list.rows];
	hidden.count = undefined as unknown as number;
	expect(await watch.poll()).toEqual([]);
	hidden.count = 9;
	expect(await watch.poll()).toEqual([]);
	const [id] = watch.list.add();
	scan(watch, id, 3);
	expect(await watch.poll()).toMatchObject([{ id, newScans: 3 }]);
	scan(watch, hidden.id);
	expect(await watch.poll()).toMatchObject([{ id: hidden.id, newScans: 1 }]);
});

it('lets scans accumulate up to the minimum, and keeps them when it is changed', async () => {
	const watch = await watching(10, 0, { minimumScans: 5 });
	scan(watch, 1, 4);
	expect(await watch.poll()).toEqual([]);
	watch.setting.parameters.minimumScans = 4;
	expect(await watch.poll()).toMatchObject([{ id: 1, newScans: 4 }]);
});

it('counts from the lower number when a counter falls', async () => {
	const watch = await watching(10, 5);
	for (const row of watch.list.rows) row.count = 1;
	expect(await watch.poll()).toEqual([]);
	scan(watch, 2, 2);
	expect(await watch.poll()).toMatchObject([{ id: 2, scans: 3, newScans: 2 }]);
});

it.each([null, undefined])(
	'counts from 0 where the count is %s until the first scan',
	async (none) => {
		const watch = await watching(3, 0);
		const [id] = watch.list.add();
		const row = watch.list.rows.at(-1)!;
		row.count = none as unknown as number;
		expect(await watch.poll()).toEqual([]);
		row.count = 2;
		expect(await watch.poll()).toMatchObject([{ id, newScans: 2 }]);
	},
);

it('reads no further than the selected codes', async () => {
	const chosenQrCodes = { code: [{ qrCodeId: { value: '240' } }] };
	const watch = await watching(250, 5, { qrCodes: 'chosen', chosenQrCodes });
	scan(watch, 240);
	scan(watch, 1);
	expect(await watch.poll()).toMatchObject([{ id: 240, newScans: 1 }]);
	expect(watch.requests).toBe(1);
});

it('fails if none of the selected codes exists', async () => {
	const chosenQrCodes = { code: [{ qrCodeId: { value: '999' } }] };
	await expect(watching(5, 0, { qrCodes: 'chosen', chosenQrCodes })).rejects.toThrow(
		'None of the selected QR codes exists',
	);
});

it('emits existing scans once if the option is on', async () => {
	const watch = await watching(5, 3, { options: { emitExisting: 'true' } });
	await watch.poll();
	expect([...emitted(watch)]).toEqual([1, 2, 3, 4, 5].map((id) => [id, 3]));
});

it.each(['classic', 'durable'] as const)(
	'loses, doubles or invents no scan under a hostile but legal service (%s scheduler)',
	async (scheduler) => {
		await survivesHistories({
			...EVENT,
			scheduler,
			// No code is forgotten, so that all scans count.
			mostHours: 1,
			numRuns: Number(process.env.RUNS ?? 25),
			ledgerOf(watch) {
				/** By id: scans since the last baseline began, and since it was complete. */
				const made = new Map<unknown, number>();
				const owed = new Map<unknown, number>();
				return {
					added: (id) => made.set(id, 0),
					requested(place) {
						const { rows } = watch.list;
						const { id } = rows[Math.floor(place * rows.length)] ?? {};
						if (id === undefined) return;
						scan(watch, id);
						for (const scans of [made, owed]) scans.set(id, (scans.get(id) ?? 0) + 1);
					},
					polled: (wasReady) => wasReady || owed.clear(),
					// The durable scheduler does not store the state of the publication.
					restarted: () => watch.data ?? made.clear(),
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
