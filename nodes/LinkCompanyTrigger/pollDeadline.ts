import { systemClock } from '../shared/http/clock';

/** What n8n grants a poll where it does not say so (before 2.38 it does not). */
const USUAL_BUDGET_MS = 5 * 60_000;
/** The rest is for the last response and for n8n's own work. */
const USED_SHARE = 0.8;
const SHORTEST_TIMEOUT_MS = 2_000;

/** The time that a poll has. */
export class PollDeadline {
	/** When n8n gives up the poll, in ms since the epoch. */
	readonly givenUpAt: number;
	private readonly endsAt: number;

	/**
	 * @param budgetMs what n8n grants (`getPollBudgetMs`)
	 * @param patienceMs what the poll may use of it
	 */
	constructor(budgetMs: number | undefined, patienceMs = Infinity) {
		const start = systemClock.now();
		const granted = budgetMs !== undefined && budgetMs > 0 ? budgetMs : USUAL_BUDGET_MS;
		this.givenUpAt = start + granted;
		this.endsAt = start + Math.min(granted * USED_SHARE, patienceMs);
	}

	get over(): boolean {
		return this.leftMs <= 0;
	}

	/** How long a request may wait before it is sent. */
	get leftMs(): number {
		return Math.max(0, this.endsAt - systemClock.now());
	}

	/** How long one request may take: the poll must still be able to use its response. */
	get timeoutMs(): number {
		const untilGivenUp = this.givenUpAt - systemClock.now();
		return Math.max(SHORTEST_TIMEOUT_MS, Math.floor((this.leftMs + untilGivenUp) / 2));
	}
}
