/** Where there is no terminal, every report stays in the log. */
const REPORT_EVERY = 100;

/**
 * Turns npm's log (level `http`) into a line of progress now and then.
 *
 * @param total packages in the lock file; those for other platforms are never fetched, so the
 *   count may end below it
 */
export function downloadProgress(
	total: number,
	report: (text: string) => void,
): (line: string) => void {
	let fetched = 0;
	return (line) => {
		if (!/\bhttp (fetch|cache)\b.*\.tgz\b/.test(line)) return;
		fetched += 1;
		if (fetched % REPORT_EVERY === 0) report(`${fetched} of about ${total} packages`);
	};
}
