import type { Clock } from '../../../nodes/shared/http/clock';

interface Timer {
	at: number;
	wake: () => void;
}

/** Not a whole second, so that rounding to seconds makes a difference. */
const START = Date.UTC(2026, 4, 4, 12, 0, 0) + 137;

/** More wake-ups than any test needs. Only endless waiting reaches this number. */
const MAX_STEPS = 200_000;

/** A clock that only moves when a test moves it, and then without any waiting. */
export class FakeClock implements Clock {
	private timers: Timer[] = [];
	private time = START;

	reset(): void {
		this.time = START;
		this.timers = [];
	}

	now(): number {
		return this.time;
	}

	async sleep(ms: number, signal?: AbortSignal): Promise<void> {
		if (signal?.aborted) return;
		await new Promise<void>((resolve) => {
			const timer: Timer = { at: this.time + Math.max(0, ms), wake: resolve };
			this.timers.push(timer);
			const wake = () => {
				this.timers = this.timers.filter((other) => other !== timer);
				resolve();
			};
			signal?.addEventListener('abort', wake, { once: true });
		});
	}

	/** Runs everything that needs no time to pass. */
	async drain(): Promise<void> {
		await new Promise<void>((resolve) => setImmediate(resolve));
	}

	/** Moves the clock by `ms`, and runs everything that is due by then. */
	async advance(ms: number): Promise<void> {
		const end = this.time + ms;
		await this.run(end);
		this.time = end;
	}

	/** Moves the clock until nothing sleeps anymore, or up to `end`. */
	async run(end = Infinity): Promise<void> {
		await this.drain();
		for (let steps = 0; ; steps++) {
			if (steps > MAX_STEPS) throw new Error('The waiting never ends');
			const next = this.earliest();
			if (next === undefined || next > end) return;
			this.time = Math.max(next, this.time);
			const due = this.timers.filter(({ at }) => at <= this.time);
			this.timers = this.timers.filter(({ at }) => at > this.time);
			for (const { wake } of due.sort((a, b) => a.at - b.at)) wake();
			await this.drain();
		}
	}

	/** Moves the clock until the promise settles, even if other sleeps last longer. */
	async until<T>(promise: Promise<T>): Promise<T> {
		let settled = false;
		void Promise.allSettled([promise]).then(() => (settled = true));
		await this.drain();
		while (!settled) {
			const next = this.earliest();
			if (next === undefined) throw new Error('Nothing is left that could settle the promise');
			await this.advance(next - this.time);
		}
		return await promise;
	}

	private earliest(): number | undefined {
		return this.timers.length === 0 ? undefined : Math.min(...this.timers.map(({ at }) => at));
	}
}
