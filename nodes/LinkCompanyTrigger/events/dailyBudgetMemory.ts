import type { Spent } from './dailyBudget';

/** What each trigger of this process has spent, whether or not n8n kept its state. */
const counted = new Map<string, Spent>();

export function countedBy(trigger: string): Spent | undefined {
	return counted.get(trigger);
}

export function noteCount(trigger: string, spent: Spent): void {
	counted.set(trigger, spent);
}

/** For tests: what a restart of n8n does. */
export function forgetCounts(): void {
	counted.clear();
}
