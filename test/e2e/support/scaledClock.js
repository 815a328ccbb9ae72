const dns = require('node:dns');
const { existsSync } = require('node:fs');
const { Module } = require('node:module');

/**
 * Lets time pass faster for this package within n8n, through the only clock that its nodes have. The
 * rest of n8n keeps the real time. While the file `noLookUps` exists, nobody can look up the sandbox's
 * name. n8n loads this file with NODE_OPTIONS.
 */
const { real, virtual, scale, noLookUps } = JSON.parse(process.env.SCALED_CLOCK);

const PATCHES = [
	[
		/n8n-nodes-link-company\/dist\/nodes\/shared\/http\/clock\.js$/,
		({ systemClock }) => {
			const { sleep } = systemClock;
			systemClock.now = () => virtual + (Date.now() - real) * scale;
			systemClock.sleep = async (ms, signal) => await sleep(ms / scale, signal);
		},
	],
	[
		// What n8n gives a poll is in real time.
		/n8n-core\/dist\/execution-engine\/node-execution-context\/poll-context\.js$/,
		(loaded) => {
			loaded.PollContext = class extends loaded.PollContext {
				constructor(...given) {
					super(...given);
					const { getPollBudgetMs } = this;
					this.getPollBudgetMs = () => getPollBudgetMs() * scale;
				}
			};
		},
	],
];

const load = Module._extensions['.js'];
Module._extensions['.js'] = (module, file) => {
	load(module, file);
	for (const [files, patch] of PATCHES) if (files.test(file)) patch(module.exports);
};

const { lookup } = dns;
dns.lookup = (hostname, ...given) => {
	if (hostname !== 'localhost' || !existsSync(noLookUps)) return lookup(hostname, ...given);
	const error = new Error(`getaddrinfo EAI_AGAIN ${hostname}`);
	given.at(-1)(Object.assign(error, { code: 'EAI_AGAIN', syscall: 'getaddrinfo', hostname }));
};
