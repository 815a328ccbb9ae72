import type { IDataObject } from 'n8n-workflow';

import { systemClock } from '../../../nodes/shared/http/clock';
import { jsonOf } from '../harness';
import { itemsOf, registryAt, registryOf } from '../support';
import { enriching, OUT_OF_QUOTA } from './enriching';
import { companyOf } from './nightModel';

const DAY_MS = 86_400_000;
const { now } = systemClock;

afterEach(() => {
	systemClock.now = now;
});

const COMPANIES = Array.from({ length: 30 }, (_, number) => companyOf(number));
const BY_IDNO = COMPANIES.map(({ idno }) => ({ IDNO: idno }));
/** Another way to say that the quota is used up. */
const DENIED = { ...OUT_OF_QUOTA, status: 403 };

describe('Enrich with a list larger than the daily quota, by default', () => {
	// Each row takes two requests. Of the rows that a night's quota is enough for, at least half are
	// finished, even on a slow machine.
	it.each<[quota: number, rows: IDataObject[], refusal: object]>([
		[15, BY_IDNO, DENIED],
		[3, BY_IDNO.slice(0, 8), OUT_OF_QUOTA],
	])('finishes whole rows every night, with %d requests', async (quota, list, refusal) => {
		const least = Math.ceil(Math.floor(quota / 2) / 2);
		const unfinished = new Set(list.keys());
		let rows = list;
		for (let night = 0; unfinished.size > 0; night++) {
			expect(night).toBeLessThan(Math.ceil(list.length / least));
			systemClock.now = () => now() + night * DAY_MS;
			const answer = registryOf(COMPANIES);
			const { run, credential } = await registryAt((request) => {
				return request.number > quota ? refusal : answer(request);
			}, 'v1');
			const { items, error } = await run(enriching({ addCredit: true }), {
				items: itemsOf(...rows),
				credentials: { companyRegistryApi: { ...credential, requestsPerDay: quota } },
			});
			expect(error).toBeUndefined();
			rows = jsonOf(items);
			const today = new Date(systemClock.now()).toISOString().slice(0, 10);
			const finished = [...rows.keys()].filter((place) => {
				const { registry_checked_at: date, match_reason: reason } = rows[place]!;
				return String(date).startsWith(today) && !String(reason).includes('is waiting for');
			});
			expect(finished.length).toBeGreaterThanOrEqual(Math.min(least, unfinished.size));
			// No row has a second turn before all have had their first one.
			const isAgain = finished.some((place) => !unfinished.has(place));
			for (const place of finished) unfinished.delete(place);
			if (isAgain) expect(unfinished.size).toBe(0);
		}
	});
});
