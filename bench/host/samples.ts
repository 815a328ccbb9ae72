import type { Sample } from './probeClient';
import type { NodeRun } from './workflows';

export const MEGABYTE = 2 ** 20;

/** Objects and buffers of a process, in bytes, waiting garbage included. */
export function heapAndBuffers({ heapUsed, external }: Sample): number {
	return heapUsed + external;
}

/** The highest value while a node ran, in bytes above `before`: by default the first sample. */
export function peakGrowth(
	samples: Sample[],
	node: NodeRun,
	read: (sample: Sample) => number,
	before = samples[0],
): number {
	if (!before) throw new Error('The probe gave no samples');
	const during = samplesDuring(samples, node);
	return Math.max(0, ...during.map((sample) => read(sample) - read(before)));
}

/** CPU time of the n8n process, all threads, while a node ran. Other programs do not disturb it. */
export function cpuMs(samples: Sample[], node: NodeRun): number {
	const during = samplesDuring(samples, node);
	return (during.at(-1)?.cpuMs ?? 0) - (during[0]?.cpuMs ?? 0);
}

function samplesDuring(samples: Sample[], { startedAt, ms }: NodeRun): Sample[] {
	return samples.filter(({ at }) => at >= startedAt && at <= startedAt + ms);
}
