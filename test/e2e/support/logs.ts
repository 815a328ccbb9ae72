/** The running programs by name, each with what gives the end of its log. */
export type WatchedLogs = Map<string, () => string>;

/** Has a program's log printed when a test fails. Returns the undo, for when it is stopped. */
export function watchLog(program: string, tail: () => string): () => void {
	const logs = (globalThis as { watchedLogs?: WatchedLogs }).watchedLogs;
	let name = program;
	for (let number = 2; logs?.has(name); number++) name = `${program} (${number})`;
	logs?.set(name, tail);
	return () => logs?.delete(name);
}
