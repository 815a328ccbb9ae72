const { createRequire } = require('node:module');
const vm = require('node:vm');
const { TestEnvironment } = require('jest-environment-node');

/**
 * Runs test files in the worker's own context, so that they can share the libraries of this folder.
 * Jest's own environment gives each file a context, in which it loads n8n's engine again: seconds
 * of work per file, and memory that isn't freed. The project's own modules are still loaded per
 * file.
 */
module.exports = class SharedEnvironment extends TestEnvironment {
	constructor(config, context) {
		super(config, context);
		this.own = this.global;
		this.global = globalThis;
		// Node's own `require`, past Jest's registry of modules.
		globalThis.requireShared = createRequire(__filename);
	}

	getVmContext() {
		return globalThis;
	}

	async teardown() {
		this.global = this.own;
		await super.teardown();
	}
};

// Jest compiles a file for the context above; Node takes the current one if none is given.
const { compileFunction } = vm;
vm.compileFunction = (code, parameters, options = {}) => {
	const { parsingContext, ...others } = options;
	return compileFunction(code, parameters, parsingContext === globalThis ? others : options);
};
const { runInContext } = vm.Script.prototype;
vm.Script.prototype.runInContext = function (context, options) {
	return context === globalThis
		? this.runInThisContext(options)
		: runInContext.call(this, context, options);
};
