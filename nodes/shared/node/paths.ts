/** Splits a path into names: `['rows', '0', 'at']` for `rows[0].at` or `rows[0]['at']`. */
export function namesInPath(path: string): string[] {
	const dotted = path.replace(/\[(['"]?)(.*?)\1\]/gs, '.$2');
	return dotted.split('.').filter((name) => name !== '');
}

/**
 * Reads a field by its name, or by a path as n8n's editor inserts it: `a.b`, `rows[0].at`, `['CRM
 * status']`. Returns undefined if there's no such field.
 */
export function readPath(record: object, path: string): unknown {
	if (Object.hasOwn(record, path)) return (record as Record<string, unknown>)[path];
	const names = namesInPath(path);
	return names.reduce<unknown>(
		(value, name) =>
			typeof value === 'object' && value !== null && Object.hasOwn(value, name)
				? (value as Record<string, unknown>)[name]
				: undefined,
		names.length > 0 ? record : undefined,
	);
}
