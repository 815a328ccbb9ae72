/** Fills the `:placeholders` of a path template; every value becomes one encoded segment. */
export function fillPath(template: string, values: Record<string, string> = {}): string {
	return template.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(values[name] ?? ''));
}
