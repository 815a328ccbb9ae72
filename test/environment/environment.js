const { createRequire } = require('node:module');
const vm = require('node:vm');
const { TestEnvironment } = require('jest-environment-node');

/** Symbols of the global object in which Jest keeps a file's tests. It expects a new object per file. */
const KEPT_BY_JEST = new Set(['EVENT_HANDLERS', 'JEST_STATE_SYMBOL']);

/**
 * Runs test files in the worker's own context, so that they share the libraries in this folder.
 * Jest's environment gives each file a new context and loads n8n's engine again: ten suites of
 * test/engine then take 25 s instead of 15 s, and 620 MB instead of 320 MB, as what n8n's engine loads
 * is never freed. The project's own modules are still loaded per file.
 */
module.exports = class SharedEnvironment extends TestEnvironment {
	constructor(config, context) {
		super(config, context);
		this.own = this.global;
		this.global = globalThis;
		this.replaced = { exit: process.exit, getBuiltinModule: process.getBuiltinModule };
		// Node's own `require`, which bypasses Jest's module registry.
		globalThis.requireShared = createRequire(__filename);
	}

	getVmContext() {
		return globalThis;
	}

	async teardown() {
		this.global = this.own;
		await super.teardown();
		// Otherwise no file's modules are freed: a worker grew to 1.1 GB, and took too long to exit.
		Object.assign(process, this.replaced);
		for (const key of Object.getOwnPropertySymbols(globalThis)) {
			if (KEPT_BY_JEST.has(key.description)) delete globalThis[key];
		}
	}
};

// Jest compiles each file for the context it gets above. Node uses the current one if none is given.
const { compileFunction } = vm;
vm.compileFunction = (code, parameters, options = {}) => {
	const { parsingContext, ...others } = options;
	return compileFunction(code, parameters, parsingContext === globalThis ? others : options);
};
const { runInContext } = vm.Script.prototype;
// n8n gives a panel's pattern 250 ms, which can pass while a busy machine runs something else.
vm.Script.prototype.runInContext = function (context, options) {
	return context === globalThis
		? this.runInThisContext(options)
		: runInContext.call(this, context, { ...options, timeout: undefined });
};
