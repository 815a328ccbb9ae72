import type { ICredentialDataDecryptedObject } from 'n8n-workflow';

import { Spending, spendingOf } from '../../nodes/CompanyRegistry/spending';
import { companyRegistry } from '../../nodes/CompanyRegistry/api';
import { connectionOf } from '../../nodes/shared/http/connection';
import { clock, DAY, HOUR, hours, MINUTE, type PollModel } from '../shared/poll/pollModel';
import { Registry } from './events/registryModel';
import { node } from '../shared/http/scriptedHost';

const poll = (at: number, perDay = 80, perPoll = 20) => ({ at, perDay, perPoll });

describe('Triggers that share a budget', () => {
	it('a weekly trigger shares it with one that has polled since its own last poll, days ago', () => {
		const spending = new Spending();
		spending.notePoll('weekly', poll(0));
		spending.notePoll('other', poll(3 * DAY));
		expect(spending.notePoll('weekly', poll(7 * DAY))).toEqual({ previous: 0, shares: 2 });
		expect(spending.notePoll('weekly', poll(14 * DAY))).toMatchObject({ shares: 1 });
	});

	it('a daily trigger has it alone two days after the other one stopped', () => {
		const spending = new Spending();
		for (const day of [0, 1, 2]) spending.notePoll('daily', poll(day * DAY));
		spending.notePoll('other', poll(2 * DAY));
		expect(spending.notePoll('daily', poll(3 * DAY))).toMatchObject({ shares: 2 });
		expect(spending.notePoll('daily', poll(4 * DAY))).toMatchObject({ shares: 1 });
	});
});

describe('Requests that triggers need', () => {
	/** What a trigger needs after polling at this pace for two days or longer. */
	const neededBy = async (companies: number, everyMs: number, perDay = 100) => {
		const registry = new Registry(companies);
		const trigger = registry.watch(registry.idnos, {}, perDay);
		await trigger.publish();
		for (const end = clock.now + 2 * DAY; clock.now < end;) {
			clock.now += everyMs;
			await trigger.tick();
		}
		return needed(trigger);
	};

	const needed = ({ setting }: PollModel) => {
		const credentials = setting.credentials as ICredentialDataDecryptedObject;
		const { account } = connectionOf(node, companyRegistry, credentials);
		return spendingOf(account).perDay(clock.now);
	};

	it.each([
		['20 companies once a day', 20, DAY, 20],
		['3 companies every hour', 3, HOUR, 72],
		['3 companies every minute, at most the budget', 3, MINUTE, 80],
		['200 companies once a day, at most the budget', 200, DAY, 80],
		['5 companies once a week', 5, 7 * DAY, 5],
	])('%s', async (_, companies, everyMs, most) => {
		const result = await neededBy(companies, everyMs);
		// A request takes time, so the pace isn't exact.
		expect(result).toBeLessThanOrEqual(most);
		expect(result).toBeGreaterThan(0.9 * most);
	});

	it('are added up over the triggers of a key, and are 0 for a key without triggers', async () => {
		const registry = new Registry(30);
		const triggers = [10, 20].map((end) => registry.watch(registry.idnos.slice(end - 10, end)));
		for (const trigger of triggers) await trigger.publish();
		for (let day = 0; day < 2; day++) {
			clock.now += DAY - HOUR;
			await hours(1, ...triggers);
		}
		expect(needed(triggers[0]!)).toBe(20);
		expect(needed(new Registry(1).watch(['1']))).toBe(0);
	});

	it('are at most the largest budget, however many triggers there are', () => {
		const spending = new Spending();
		for (const name of ['one', 'other']) {
			for (const at of [0, DAY]) spending.notePoll(name, poll(at, 30));
		}
		expect(spending.perDay(DAY)).toBe(30);
	});

	it('are those of a weekly trigger until it has been late for a week', () => {
		const spending = new Spending();
		for (const at of [0, 7 * DAY]) spending.notePoll('weekly', poll(at));
		expect([20, 22].map((day) => spending.perDay(day * DAY))).toEqual([20, 0]);
	});

	it('are those of hourly polls after the first poll, and 0 two days after the last one', async () => {
		const registry = new Registry(3);
		const trigger = registry.watch(registry.idnos, {}, 1_000);
		await trigger.publish();
		expect(needed(trigger)).toBe(72);
		clock.now += 2 * DAY;
		expect(needed(trigger)).toBe(0);
	});
});
