/**
 * What outlives a run: everything that this process remembers and n8n doesn't store. It's all kept in
 * maps of this kind, so that none grows without end, and tests can restart n8n. Only what belongs to an
 * object of n8n's, and goes with it, is in a WeakMap.
 */
const maps: Array<Map<string, unknown>> = [];

/** Keeps the entries that were set last. Setting an entry again makes it the newest. */
class BoundedMap<V> extends Map<string, V> {
	constructor(private readonly most: number) {
		super();
	}

	override set(key: string, value: V): this {
		this.delete(key);
		super.set(key, value);
		const [oldest = key] = this.keys();
		if (this.size > this.most) this.delete(oldest);
		return this;
	}
}

/** @param most how many entries to keep. Losing the oldest is like a restart for what it's about. */
export function processMap<V>({ most = 10_000 }: { most?: number } = {}): Map<string, V> {
	const map = new BoundedMap<V>(most);
	maps.push(map);
	return map;
}

/** A restart of n8n, for tests. */
export function forgetEverything(): void {
	for (const map of maps) map.clear();
}
