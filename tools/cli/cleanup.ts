/** Undoes what a run has set up, in reverse order. */
export class Cleanup {
	private readonly undos: Array<() => Promise<unknown>> = [];

	add(undo: () => Promise<unknown>): void {
		this.undos.push(undo);
	}

	/** Runs every undo, even after one has failed, and then throws the first failure. */
	async run(): Promise<void> {
		const failures: unknown[] = [];
		for (let undo = this.undos.pop(); undo; undo = this.undos.pop()) {
			await undo().catch((error: unknown) => failures.push(error));
		}
		if (failures.length > 0) throw failures[0];
	}
}
