const MINUTE_MS = 60_000;

/** A rough duration in words: `20 s`, `3 min`. */
export function formatDuration(ms: number): string {
	if (ms < 1.5 * MINUTE_MS) return `${Math.max(5, Math.round(ms / 5000) * 5)} s`;
	return `${Math.round(ms / MINUTE_MS)} min`;
}
