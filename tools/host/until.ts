import { setTimeout as delay } from 'node:timers/promises';

const PROBE_EVERY_MS = 100;

/**
 * Waits for a condition and returns the probe's result.
 *
 * @param what completes the sentence "Waited … for …"
 * @param probe returns anything but undefined, null or false when the condition holds
 * @param timeoutMs only ends what hangs; a slow machine must not reach it
 * @throws when the condition doesn't hold in time; the cause is the probe's last error
 * @throws when `signal` is aborted
 */
export async function until<T>(
	what: string,
	probe: () => Promise<T | undefined | null | false> | T | undefined | null | false,
	timeoutMs = 5 * 60_000,
	signal?: AbortSignal,
): Promise<T> {
	const deadline = Date.now() + timeoutMs;
	for (;;) {
		let failure: unknown;
		try {
			const result = await probe();
			if (result !== undefined && result !== null && result !== false) return result;
		} catch (error) {
			failure = error;
		}
		if (Date.now() > deadline) {
			throw new Error(`Waited ${timeoutMs / 1000} s for ${what}`, { cause: failure });
		}
		await delay(PROBE_EVERY_MS, undefined, { signal });
	}
}
