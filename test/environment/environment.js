const { createRequire } = require('node:module');
const vm = require('node:vm');
const { TestEnvironment } = require('jest-environment-node');

/**
 * Runs test files in the worker's own context, so that they share the libraries in this folder.
 * Jest's environment gives each file a new context and loads n8n's engine again, which takes seconds
 * per file and memory that isn't freed. The project's own modules are still loaded per file.
 */
module.exports = class SharedEnvironment extends TestEnvironment {
	constructor(config, context) {
		super(config, context);
		this.own = this.global;
		this.global = globalThis;
		// Node's own `require`, which bypasses Jest's module registry.
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

// Jest compiles each file for the context it gets above. Node uses the current one if none is given.
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
