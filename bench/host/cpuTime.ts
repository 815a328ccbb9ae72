import { readdir, readFile } from 'node:fs/promises';

/** Linux tells CPU times in hundredths of a second, whatever its own clock does. */
const MS_PER_TICK = 10;

/** CPU time by who spent it, in milliseconds. */
export type CpuTimes = Record<string, number>;

/** Of a process, as Linux tells it in /proc. */
interface ProcessTimes {
	pid: number;
	parent: number;
	/** With that of the children that have ended. */
	cpuMs: number;
}

/**
 * CPU time so far of groups of processes, and of the whole machine under `machine`. Those whom a
 * process has started count with it. Linux only.
 */
export async function cpuTimes(
	groups: Record<string, Array<number | undefined>>,
): Promise<CpuTimes> {
	const processes = await allProcesses();
	const times = Object.entries(groups).map(([name, heads]) => {
		const members = withDescendants(processes, heads);
		return [name, members.reduce((sum, { cpuMs }) => sum + cpuMs, 0)];
	});
	return { ...Object.fromEntries(times), machine: await machineCpuMs() };
}

/** What was spent between two moments. */
export function spent(before: CpuTimes, after: CpuTimes): CpuTimes {
	return Object.fromEntries(
		Object.entries(after).map(([name, ms]) => [name, ms - (before[name] ?? 0)]),
	);
}

/** PostgreSQL puts each of its processes into a group of its own, so the parents are followed. */
function withDescendants(
	processes: ProcessTimes[],
	heads: Array<number | undefined>,
): ProcessTimes[] {
	const found = processes.filter(({ pid }) => heads.includes(pid));
	// The list grows while it is walked.
	for (const { pid } of found) found.push(...processes.filter(({ parent }) => parent === pid));
	return found;
}

async function allProcesses(): Promise<ProcessTimes[]> {
	const pids = (await readdir('/proc')).map(Number).filter(Number.isInteger);
	const processes = await Promise.all(pids.map(processTimes));
	return processes.filter((times) => times !== undefined);
}

async function processTimes(pid: number): Promise<ProcessTimes | undefined> {
	// It may have ended since the folder was read.
	const line = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => undefined);
	// The second field is the program's name in brackets, which may hold anything.
	const fields = line
		?.slice(line.lastIndexOf(')') + 2)
		.split(' ')
		.map(Number);
	if (!fields) return undefined;
	const [, parent = 0] = fields;
	const [user = 0, system = 0, childrenUser = 0, childrenSystem = 0] = fields.slice(11, 15);
	return { pid, parent, cpuMs: (user + system + childrenUser + childrenSystem) * MS_PER_TICK };
}

async function machineCpuMs(): Promise<number> {
	const [line = ''] = (await readFile('/proc/stat', 'utf8')).split('\n');
	const [user = 0, nice = 0, system = 0, , , interrupts = 0, softInterrupts = 0] = line
		.split(/\s+/)
		.slice(1)
		.map(Number);
	return (user + nice + system + interrupts + softInterrupts) * MS_PER_TICK;
}
