import { join } from 'node:path';

/** Environment that loads probe.cjs into an n8n. */
export function probeEnvironment(port: number): NodeJS.ProcessEnv {
	return {
		NODE_OPTIONS: `--require=${join(__dirname, 'probe.cjs')}`,
		LINK_BENCH_PROBE_PORT: String(port),
	};
}

/** The n8n process at one moment; memory in bytes. */
export interface Sample {
	/** Milliseconds since the epoch. */
	at: number;
	/** What the system has given to the process. */
	rss: number;
	/** Objects of JavaScript, waiting garbage included. */
	heapUsed: number;
	/** Buffers and other memory outside the heap. */
	external: number;
	/** CPU time of all its threads since it was started. */
	cpuMs: number;
}

/** What some work gave, and the memory meanwhile, oldest sample first. */
export interface Sampled<T> {
	result: T;
	samples: Sample[];
}

/** Speaks to the probe inside n8n. */
export class Probe {
	constructor(private readonly port: number) {}

	/** Does something and gives the samples meanwhile, after a garbage collection. */
	async sampledDuring<T>(work: () => Promise<T>): Promise<Sampled<T>> {
		return await this.sampled('/samples/start', work);
	}

	/** The same with a garbage collection before each sample, so that only what is held counts. */
	async liveMemoryDuring<T>(work: () => Promise<T>): Promise<Sampled<T>> {
		return await this.sampled('/samples/start-live', work);
	}

	private async sampled<T>(start: string, work: () => Promise<T>): Promise<Sampled<T>> {
		await this.command(start);
		try {
			const result = await work();
			return { result, samples: (await this.command('/samples/stop')) as Sample[] };
		} catch (error) {
			await this.command('/samples/stop');
			throw error;
		}
	}

	/** Does something and gives the CPU profile meanwhile, as Chrome's tools read it. */
	async profileOf<T>(work: () => Promise<T>): Promise<{ result: T; profile: unknown }> {
		await this.command('/profile/start');
		const result = await work();
		return { result, profile: await this.command('/profile/stop') };
	}

	private async command(path: string): Promise<unknown> {
		const response = await fetch(`http://127.0.0.1:${this.port}${path}`);
		if (!response.ok) throw new Error(`The probe refused ${path}: ${response.status}`);
		return await response.json();
	}
}
