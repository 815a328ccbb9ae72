/** Fills the `:placeholders` of a path template; every value becomes one encoded segment. */
export function fillPath(template: string, values: Record<string, string> = {}): string {
	return template.replace(/:(\w+)/g, (_, name: string) => encodeSegment(values[name] ?? ''));
}

/** Half of a character outside the basic plane, as a cut-off emoji leaves it, cannot be encoded. */
export function encodeSegment(value: string): string {
	return encodeURIComponent(value.replace(/\p{Surrogate}/gu, '\uFFFD'));
}
