import { Listr, PRESET_TIMER } from 'listr2';

/** Shorter steps don't show their time. */
const TIMED_FROM_MS = 1000;

const timer = {
	...PRESET_TIMER,
	condition: (ms: number | undefined) => (ms ?? 0) >= TIMED_FROM_MS,
};

/**
 * Runs `work` under a line that shows its progress, and returns its result.
 *
 * @param work receives a function that shows a short text below the line
 * @throws what `work` throws
 */
export async function step<T>(
	title: string,
	work: (report: (text: string) => void) => Promise<T>,
): Promise<T> {
	let pending: Promise<T> | undefined;
	const list = new Listr(
		{
			title,
			task: async (_context, task) => {
				pending = work((text) => (task.output = text));
				// The error itself can be long. It is printed once, at the end of the program.
				await pending.catch(() => {
					throw new Error('see below');
				});
			},
		},
		{
			exitOnError: false,
			// The program handles Ctrl-C itself, to stop everything that it has started.
			registerSignalListeners: false,
			rendererOptions: { showErrorMessage: false, timer },
			fallbackRendererOptions: { timer },
		},
	);
	await list.run();
	if (!pending) throw new Error(`The step "${title}" did not start`);
	return await pending;
}
