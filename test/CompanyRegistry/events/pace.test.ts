import type { IDataObject } from 'n8n-workflow';

import { CompanyRegistryTrigger } from '../../../nodes/CompanyRegistry/CompanyRegistryTrigger.node';
import { PollModel } from '../../shared/poll/pollModel';
import { idnoOf, listOf } from './registryModel';

const every = (...item: IDataObject[]) => ({ pollTimes: { item } });
const MINUTES_15 = every({ mode: 'everyX', value: 15, unit: 'minutes' });
const HOUR = every({ mode: 'everyHour', minute: 0 });
const HOURS_3 = every({ mode: 'everyX', value: 3, unit: 'hours' });
const DAY = every({ mode: 'everyDay', hour: 8, minute: 0 });
const WEEK = every({ mode: 'everyWeek', weekday: '1' });
const FREE = { variant: 'v1', plan: 'developerFree' };
const PRO = { variant: 'v1', plan: 'businessPro' };
const PREMIUM = { variant: 'unversioned', plan: 'premium' };
const CLASSIC_MS = 300_000;
const DURABLE_MS = 36_000;

function watching(
	companies: number,
	plan: IDataObject,
	parameters: IDataObject,
	budgetMs?: number,
) {
	const idnos = Array.from({ length: companies }, (_, at) => idnoOf(at));
	return new PollModel(new CompanyRegistryTrigger(), {
		parameters: {
			event: 'companyStatusChanged',
			...listOf(idnos),
			...{ options: { checkDigit: false }, ...parameters },
		},
		credentials: { baseUrl: 'https://registry.example', apiKey: `key ${Math.random()}`, ...plan },
		answer: (path, { q }) => {
			const company = { idno: q ?? path.split('/').at(-1), name: 'A', status: 'active' };
			return { body: { success: true, ...company, data: [company], results: [company] } };
		},
		budgetMs,
	});
}

const PLANS = { 'Developer Free': FREE, 'Business Pro': PRO, Premium: PREMIUM };
type Row = [plan: keyof typeof PLANS, companies: number, rhythm: IDataObject, days?: number];

it.each<Row>([
	['Developer Free', 240, MINUTES_15],
	['Developer Free', 241, MINUTES_15, 4],
	['Developer Free', 240, every({ mode: 'everyMinute' })],
	['Developer Free', 240, HOUR],
	['Developer Free', 30, DAY],
	['Developer Free', 31, DAY, 4],
	['Developer Free', 31, every(DAY.pollTimes.item[0]!, { mode: 'everyDay', hour: 20 })],
	['Developer Free', 10, WEEK],
	['Developer Free', 11, WEEK, 8],
	['Developer Free', 11, every({ mode: 'everyMonth', dayOfMonth: 1 }), 33],
	['Developer Free', 240, every({ mode: 'custom', cronExpression: '0 8 * * *' })],
	['Developer Free', 10, { ...MINUTES_15, options: { checkDigit: false, dailyRequests: 2 } }, 5],
	['Business Pro', 24_000, {}],
	['Business Pro', 24_000, every({ mode: 'everyMinute' })],
	['Business Pro', 24_000, MINUTES_15],
	['Business Pro', 24_000, HOUR, 10],
	['Business Pro', 24_000, HOURS_3, 30],
	['Premium', 12_000, MINUTES_15],
	['Premium', 6_000, HOUR, 5],
])(
	'with the plan %s, %d companies and %j, a test event says how long the list takes, if that’s too long: %s',
	async (...row) => {
		const [plan, companies, rhythm, days] = row;
		const { notice } = (await watching(companies, PLANS[plan], rhythm).test())!;
		if (days === undefined) expect(notice).toBeUndefined();
		else expect(notice).toContain(`Checking all ${companies} companies takes about ${days} days.`);
	},
);

it.each([
	['the rhythm', DAY, 'Poll more often, such as every 15 minutes.'],
	['the budget', MINUTES_15, 'Watch fewer companies, or raise "Daily Request Budget"'],
	['the budget, if polls just use it up', HOURS_3, 'Watch fewer companies'],
])('a test event begins with what to do about %s', async (_, rhythm, advice) => {
	const sample = (await watching(500, FREE, rhythm).test())!;
	expect(Object.entries(sample)[0]).toEqual(['notice', expect.stringContaining(advice)]);
});

it('a test event assumes the trigger’s share of the budget if another trigger uses the key', async () => {
	const shared = { ...FREE, apiKey: 'shared' };
	await watching(1, shared, MINUTES_15).publish();
	const { notice } = (await watching(130, shared, MINUTES_15).test())!;
	expect(notice).toContain('takes about 4 days');
});

it.each([
	[DURABLE_MS, 100, 1],
	[CLASSIC_MS, 100, 0],
	[CLASSIC_MS, 130, 1],
])('n8n’s log says it once if a poll has %d ms for %d companies: %d', async (...row) => {
	const [budgetMs, companies, warnings] = row;
	const trigger = watching(companies, FREE, DAY, budgetMs);
	await trigger.publish();
	await trigger.tick();
	expect(trigger.warnings.filter((text) => text.includes('takes about'))).toHaveLength(warnings);
});
