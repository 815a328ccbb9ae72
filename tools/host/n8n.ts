import { n8nEnvironment } from './environment';
import type { Host } from './install';
import { freePort, LOOPBACK } from './ports';
import { startSubprocess } from './subprocess';
import { until } from './until';

export interface StartOptions {
	host: Host;
	/** An existing folder; n8n keeps its settings, database and files below it. */
	userFolder: string;
	/** TCP port on the loopback address: the editor's, or a worker's health check. */
	port: number;
	/** `start` (default) runs the editor and the engine; `worker` serves a queue. */
	command?: 'start' | 'worker';
	/** Settings on top of those in environment.ts. */
	env?: NodeJS.ProcessEnv;
	signal?: AbortSignal;
}

/** A running n8n. */
export interface N8nProcess {
	/** Address without a trailing slash. */
	url: string;
	pid: number | undefined;
	/** The last lines n8n printed. */
	logTail(): string;
	/** Resolves when the process has ended, with the reason if it failed. */
	ended: Promise<string | undefined>;
	/** Stops n8n and waits until it has ended. */
	stop(): Promise<void>;
	/** Kills n8n like a power failure and waits until it has ended. */
	kill(): Promise<void>;
}

const READY_TIMEOUT_MS = 120_000;
/** n8n gives running executions 10 s (environment.ts); then it is killed. */
const KILL_AFTER_MS = 15_000;

/**
 * Starts n8n and waits until it reports that it is ready.
 *
 * @throws with the end of n8n's log if it ends or isn't ready in time
 */
export async function startN8n(options: StartOptions): Promise<N8nProcess> {
	const { host, userFolder, port, command = 'start', env, signal } = options;
	signal?.throwIfAborted();
	const subprocess = startSubprocess(host.nodePath, [host.n8nPath, command], {
		// n8n reads a .env file from here.
		cwd: userFolder,
		env: n8nEnvironment(userFolder, {
			...(await portSettings(command, port)),
			...env,
		}),
	});
	const n8n: N8nProcess = {
		url: `http://${LOOPBACK}:${port}`,
		pid: subprocess.pid,
		logTail: () => subprocess.tail(),
		ended: subprocess.ended,
		async stop() {
			const timer = setTimeout(() => subprocess.kill('SIGKILL'), KILL_AFTER_MS);
			subprocess.terminate();
			await subprocess.ended;
			clearTimeout(timer);
		},
		async kill() {
			subprocess.kill('SIGKILL');
			await subprocess.ended;
		},
	};
	try {
		await untilReady(n8n, signal);
	} catch (error) {
		await n8n.stop();
		throw error;
	}
	return n8n;
}

async function portSettings(command: string, port: number): Promise<NodeJS.ProcessEnv> {
	const own =
		command === 'worker'
			? {
					QUEUE_HEALTH_CHECK_ACTIVE: 'true',
					QUEUE_HEALTH_CHECK_PORT: String(port),
				}
			: { N8N_PORT: String(port) };
	// n8n's Code nodes run in another process, which connects to n8n through a second port.
	return { ...own, N8N_RUNNERS_BROKER_PORT: String(await freePort()) };
}

async function untilReady(n8n: N8nProcess, signal?: AbortSignal): Promise<void> {
	let hasEnded = false;
	void n8n.ended.then(() => (hasEnded = true));
	try {
		await until(
			'n8n to start',
			async () => {
				if (hasEnded || signal?.aborted) return 'stop';
				return (await fetch(`${n8n.url}/healthz/readiness`)).ok;
			},
			READY_TIMEOUT_MS,
		);
	} catch (error) {
		throw new Error(`n8n was not ready in time:\n${n8n.logTail()}`, { cause: error });
	}
	signal?.throwIfAborted();
	if (hasEnded) throw new Error(`n8n ended while starting:\n${n8n.logTail()}`);
}
