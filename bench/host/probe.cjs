/**
 * Loaded into the measured n8n before n8n itself (`--require`). It measures where nobody from
 * outside can: memory and CPU time every few milliseconds, and the CPU profile of a part of the time. The
 * bench speaks to it by HTTP, see probeClient.ts.
 */
'use strict';

const { createServer } = require('node:http');
const { Session } = require('node:inspector/promises');
const { setFlagsFromString } = require('node:v8');
const { runInNewContext } = require('node:vm');

const SAMPLE_MS = 5;
/** Between two garbage collections, which take as long again: n8n must get on with its work. */
const LIVE_PAUSE_MS = 250;

/** n8n starts helpers of its own, which inherit the variables; only n8n itself is measured. */
const isN8n = /[\\/]bin[\\/]n8n$/.test(process.argv[1] ?? '');
const port = Number(process.env.LINK_BENCH_PROBE_PORT);

if (isN8n && port) listen();

function listen() {
	setFlagsFromString('--expose-gc');
	const collectGarbage = runInNewContext('gc');
	let samples = [];
	let timer;
	let session;

	const commands = {
		'/samples/start': () => {
			collectGarbage();
			samples = [sample()];
			timer = setInterval(() => samples.push(sample()), SAMPLE_MS);
		},
		'/samples/start-live': () => {
			samples = [];
			const take = () => {
				collectGarbage();
				samples.push(sample());
				timer = setTimeout(take, LIVE_PAUSE_MS);
			};
			take();
		},
		'/samples/stop': () => {
			clearTimeout(timer);
			return samples;
		},
		'/profile/start': async () => {
			session = new Session();
			session.connect();
			await session.post('Profiler.enable');
			await session.post('Profiler.start');
		},
		'/profile/stop': async () => {
			const { profile } = await session.post('Profiler.stop');
			session.disconnect();
			return profile;
		},
	};

	createServer(async (request, response) => {
		const result = await commands[request.url]();
		response.end(JSON.stringify(result ?? null));
	})
		.listen(port, '127.0.0.1')
		.unref();
}

function sample() {
	const { rss, heapUsed, external } = process.memoryUsage();
	const { user, system } = process.cpuUsage();
	return { at: Date.now(), rss, heapUsed, external, cpuMs: (user + system) / 1_000 };
}
