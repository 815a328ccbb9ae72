/** So many failures without a success between them are an outage, and not about single companies. */
const MOST_FAILURES = 3;
/** With fewer requests left, rows are checked one by one, so that the end leaves only one half done. */
const FEW_LEFT = 40;

/** A run sends no more requests. The message is what the other rows wait for. */
export class EndOfRequests extends Error {
	constructor(
		message: string,
		/** Whether the run has sent all it may, as opposed to an outage. */
		readonly isLimit: boolean,
	) {
		super(message);
	}
}

/** What a run may send with a key. */
export class RunRequests {
	private sent = 0;
	private ended: EndOfRequests | undefined;
	private turn: Promise<unknown> = Promise.resolve();
	private readonly checks = new InARow<Error>();
	/** Failures to read recommendations, which the plan may lack. */
	readonly recommendations = new InARow<FailedReading>();

	/** @param afterwards what rows wait for when the run has sent `most` requests */
	constructor(
		private readonly most: number,
		private readonly afterwards: string,
	) {}

	/** Called before every attempt. @throws EndOfRequests */
	readonly spend = (): void => {
		if (this.sent >= this.most) this.ended ??= new EndOfRequests(this.afterwards, true);
		if (this.ended) throw this.ended;
		this.sent++;
	};

	/** Runs the check of a row, together with others unless the end is near. */
	async inTurn<T>(check: () => Promise<T>): Promise<T> {
		if (this.most - this.sent > FEW_LEFT) return await check();
		const turn = this.turn.then(check);
		this.turn = turn.catch(() => undefined);
		return await turn;
	}

	/** Notes that a row was checked, or why it couldn't be. */
	noteCheck(failure?: Error): void {
		this.checks.note(failure);
		const outage = 'the service, which keeps failing';
		if (this.checks.areMany) this.ended ??= new EndOfRequests(outage, false);
	}
}

/** Why a company's recommendation couldn't be read. */
export interface FailedReading {
	reason: string;
	/** It may be readable another time, unlike one that the plan lacks. */
	isTemporary: boolean;
}

/** Failures without a success between them. */
class InARow<Failure> {
	private readonly failures = new Set<Failure>();

	get areMany(): boolean {
		return this.failures.size >= MOST_FAILURES;
	}

	get latest(): Failure | undefined {
		return [...this.failures].at(-1);
	}

	/** Rows of one company share its failure, so it counts once. */
	note(failure?: Failure): void {
		if (failure) this.failures.add(failure);
		else if (!this.areMany) this.failures.clear();
	}
}
