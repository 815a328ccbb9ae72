import { formatDuration } from './duration';

/** Without a terminal every report is a line in the log. */
const REPORT_EVERY = 100;
/** Too few packages say nothing about the rest. */
const ESTIMATE_FROM = 300;

/**
 * Turns npm's log (level `http`) into a line of progress now and then, with an estimate of the time
 * that is left.
 *
 * @param total packages in the lock file; npm skips those for other platforms, so the count may end
 *   below it
 */
export function downloadProgress(
	total: number,
	report: (text: string) => void,
	now: () => number = Date.now,
): (line: string) => void {
	const start = now();
	let fetched = 0;
	return (line) => {
		if (!/\bhttp (fetch|cache)\b.*\.tgz\b/.test(line)) return;
		fetched += 1;
		if (fetched % REPORT_EVERY !== 0) return;
		const rest = ((now() - start) / fetched) * Math.max(0, total - fetched);
		const estimate = fetched < ESTIMATE_FROM ? '' : `, about ${formatDuration(rest)} left`;
		report(`downloaded ${fetched} of about ${total} packages${estimate}`);
	};
}
