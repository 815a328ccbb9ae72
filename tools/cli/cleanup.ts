/** Undoes what a run has set up, the newest first. */
export class Cleanup {
	private readonly undos: Array<() => Promise<unknown>> = [];

	add(undo: () => Promise<unknown>): void {
		this.undos.push(undo);
	}

	/** Runs every undo, even after one has failed; throws the first failure at the end. */
	async run(): Promise<void> {
		const failures: unknown[] = [];
		for (let undo = this.undos.pop(); undo; undo = this.undos.pop()) {
			await undo().catch((error: unknown) => failures.push(error));
		}
		if (failures.length > 0) throw failures[0];
	}
}
