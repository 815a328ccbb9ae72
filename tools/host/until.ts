import { setTimeout as delay } from 'node:timers/promises';

const PROBE_EVERY_MS = 100;

/**
 * Waits for a condition and gives what the probe gave.
 *
 * @param what completes the sentence "Waited … for …"
 * @param probe tells by anything but undefined, null and false that the condition holds
 * @param everyMs pause between two probes
 * @throws when it does not hold after `timeoutMs`; with the probe's last error, if it threw
 */
export async function until<T>(
	what: string,
	probe: () => Promise<T | undefined | null | false> | T | undefined | null | false,
	timeoutMs = 60_000,
	everyMs = PROBE_EVERY_MS,
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
		await delay(everyMs);
	}
}
