const { Module } = require('node:module');

/**
 * Lets time pass faster for this package within n8n, through the only clock that its nodes have. The
 * rest of n8n keeps the real time. n8n loads this file with NODE_OPTIONS.
 */
const { real, virtual, scale } = JSON.parse(process.env.SCALED_CLOCK);

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
