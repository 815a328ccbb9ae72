import { systemClock } from '../shared/http/clock';
import type { PollTime } from './events/reading';

/** What n8n grants a poll where it does not say so (before 2.38 it does not). */
const USUAL_BUDGET_MS = 5 * 60_000;
/** The rest is for the last answer and for n8n's own work. */
const USED_SHARE = 0.8;
/** While a workflow is published or a test event is fetched, somebody waits in the editor. */
const PATIENCE_OF_A_USER_MS = 30_000;
const SHORTEST_TIMEOUT_MS = 2_000;

/** The time that a poll has. */
export class Deadline implements PollTime {
	/** When n8n gives the poll up, in ms since the epoch. */
	readonly givenUpAt: number;
	private readonly endsAt: number;

	/**
	 * @param budgetMs what n8n grants (`getPollBudgetMs`)
	 * @param awaited whether a user waits for the poll
	 */
	constructor(budgetMs: number | undefined, awaited: boolean) {
		const start = systemClock.now();
		const granted = budgetMs !== undefined && budgetMs > 0 ? budgetMs : USUAL_BUDGET_MS;
		const used = granted * USED_SHARE;
		this.givenUpAt = start + granted;
		this.endsAt = start + (awaited ? Math.min(used, PATIENCE_OF_A_USER_MS) : used);
	}

	get over(): boolean {
		return this.leftMs <= 0;
	}

	/** How long a request may wait for its turn. */
	get leftMs(): number {
		return Math.max(0, this.endsAt - systemClock.now());
	}

	/** How long one request may take: its answer must still be of use. */
	get timeoutMs(): number {
		const untilGivenUp = this.givenUpAt - systemClock.now();
		return Math.max(SHORTEST_TIMEOUT_MS, Math.floor((this.leftMs + untilGivenUp) / 2));
	}
}
