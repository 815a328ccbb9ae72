/** `YYYY-MM-DD HH:MM:SS`, the date-time of the link-management API (Conventions), in UTC. */
export function toDateTime(ms: number): string {
	return new Date(ms).toISOString().slice(0, 19).replace('T', ' ');
}

/** `YYYY-MM-DD` in UTC. */
export function toDate(ms: number): string {
	return new Date(ms).toISOString().slice(0, 10);
}

/** Whether the text is `YYYY-MM-DD` and such a day exists. */
export function isDate(text: string): boolean {
	if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return false;
	const ms = Date.parse(`${text}T00:00:00Z`);
	return !Number.isNaN(ms) && toDate(ms) === text;
}

/** The newest generated record is this old, so that data never depend on the day of the run. */
export const DATA_END_MS = Date.UTC(2025, 8, 30, 16, 0, 0);
