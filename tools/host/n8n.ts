import { n8nEnvironment } from './environment';
import type { Host } from './install';
import { freePort, LOOPBACK } from './ports';
import { startSubprocess, type Subprocess } from './subprocess';
import { until } from './until';

interface StartOptions {
	host: Host;
	/** An existing folder; n8n keeps its settings, database and files below it. */
	userFolder: string;
	/** TCP port on the loopback address: the editor's, or a worker's health check. */
	port: number;
	/** `start` (default) runs the editor and the engine; `worker` serves a queue. */
	command?: 'start' | 'worker';
	/** Settings in addition to those in environment.ts. */
	env?: NodeJS.ProcessEnv;
	signal?: AbortSignal;
}

/** A running n8n. */
export interface N8nProcess extends Pick<Subprocess, 'ended' | 'stop' | 'kill'> {
	/** Address without a trailing slash. */
	url: string;
	/** The last lines n8n printed. */
	logTail(): string;
}

const READY_TIMEOUT_MS = 10 * 60_000;

/**
 * Starts n8n and waits until it reports that it is ready.
 *
 * @throws with the end of n8n's log if it ends or isn't ready in time
 */
export async function startN8n(options: StartOptions): Promise<N8nProcess> {
	const { host, userFolder, port, command = 'start', env, signal } = options;
	signal?.throwIfAborted();
	const health = { QUEUE_HEALTH_CHECK_ACTIVE: 'true', QUEUE_HEALTH_CHECK_PORT: String(port) };
	const subprocess = startSubprocess(host.nodePath, [host.n8nPath, command], {
		// n8n reads a .env file from here.
		cwd: userFolder,
		env: n8nEnvironment(userFolder, {
			...(command === 'worker' ? health : { N8N_PORT: String(port) }),
			// n8n's Code nodes run in another process, which connects to n8n through a second port.
			N8N_RUNNERS_BROKER_PORT: String(await freePort()),
			...env,
		}),
	});
	const url = `http://${LOOPBACK}:${port}`;
	const ending = new AbortController();
	void subprocess.ended.then(() => ending.abort());
	const ended = AbortSignal.any([ending.signal, ...(signal ? [signal] : [])]);
	const isReady = async () => (await fetch(`${url}/healthz/readiness`)).ok;
	try {
		await until('n8n to start', isReady, READY_TIMEOUT_MS, ended);
	} catch (error) {
		await subprocess.stop();
		signal?.throwIfAborted();
		throw new Error(`n8n did not start:\n${subprocess.tail()}`, { cause: error });
	}
	return { url, logTail: () => subprocess.tail(), ...subprocess };
}
