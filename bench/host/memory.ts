import type { MemorySample } from './probeClient';
import type { NodeRun } from './workflows';

export const MEGABYTE = 2 ** 20;

/** Objects and buffers of a process, in bytes, waiting garbage included. */
export function heapAndBuffers({ heapUsed, external }: MemorySample): number {
	return heapUsed + external;
}

/** The highest value while a node ran, in bytes above `before`: by default the first sample. */
export function peakGrowth(
	samples: MemorySample[],
	{ startedAt, ms }: NodeRun,
	read: (sample: MemorySample) => number,
	before = samples[0],
): number {
	if (!before) throw new Error('The probe gave no samples');
	const during = samples.filter(({ at }) => at >= startedAt && at <= startedAt + ms);
	return Math.max(0, ...during.map((sample) => read(sample) - read(before)));
}
