/**
 * Loads the given files as n8n does, and prints the milliseconds and bytes that this added. Run in
 * a process of its own for each measurement, by n8n's Node, with n8n's modules in NODE_PATH:
 * `node load.cjs <file> …`. What n8n itself has loaded by then is loaded first.
 */
'use strict';

const { createRequire } = require('node:module');
const { setFlagsFromString } = require('node:v8');
const { runInNewContext } = require('node:vm');

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc');

// n8n's own copies: this project's node_modules would come before NODE_PATH.
const requireAsN8n = createRequire(`${process.env.NODE_PATH}/n8n/package.json`);
requireAsN8n('n8n-workflow');
requireAsN8n('zod');

collectGarbage();
const before = process.memoryUsage().heapUsed;
const cpuBefore = process.cpuUsage();
const start = performance.now();
for (const file of process.argv.slice(2)) {
	const [Class] = Object.values(require(file)).filter((value) => /^class\b/.test(value));
	new Class();
}
const ms = performance.now() - start;
const { user, system } = process.cpuUsage(cpuBefore);
const cpuMs = (user + system) / 1_000;
collectGarbage();
console.log(JSON.stringify({ ms, cpuMs, bytes: process.memoryUsage().heapUsed - before }));
