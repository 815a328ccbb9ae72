/**
 * Loaded into n8n by `--require`: writes down, in the file that the environment variable
 * POLL_JOURNAL names, when n8n begins and ends to store what a workflow's triggers remember, and
 * when it has stored a new execution. As soon as the file exists that DIE_WHEN names, it takes n8n
 * down at the moment when such static data are in the database.
 */
const { appendFileSync, existsSync } = require('node:fs');
const Module = require('node:module');

const { POLL_JOURNAL, DIE_WHEN } = process.env;

/** What to wrap, by the end of the file's name: class, method, and what to do around a call. */
const WRAPPED = {
	'/workflow-static-data.service': [
		'WorkflowStaticDataService',
		'saveStaticDataById',
		async (save, workflowId) => {
			note('saving', workflowId);
			await save();
			note('saved', workflowId);
			if (DIE_WHEN && existsSync(DIE_WHEN)) process.kill(process.pid, 'SIGKILL');
		},
	],
	'/execution-persistence': [
		'ExecutionPersistence',
		'create',
		async (create, { workflowData }) => {
			const id = await create();
			note('created', workflowData.id);
			return id;
		},
	],
};

function note(what, workflowId) {
	const entry = { pid: process.pid, at: Date.now(), what, workflowId };
	// At once: n8n may be killed the next moment.
	appendFileSync(POLL_JOURNAL, `${JSON.stringify(entry)}\n`);
}

const patched = new WeakSet();
const load = Module._load;
Module._load = function (request, ...rest) {
	const loaded = load.call(this, request, ...rest);
	const name = Object.keys(WRAPPED).find((end) => request.endsWith(end));
	if (name) wrap(loaded, ...WRAPPED[name]);
	return loaded;
};

function wrap(loaded, className, method, around) {
	const prototype = loaded[className]?.prototype;
	if (!prototype || patched.has(prototype)) return;
	patched.add(prototype);
	const original = prototype[method];
	prototype[method] = async function (...args) {
		return await around(async () => await original.apply(this, args), ...args);
	};
}
