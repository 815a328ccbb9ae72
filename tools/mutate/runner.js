const { default: TestRunner } = require('jest-runner');
const { hasNoticed } = require('./environment');

/** Loads no further test file once a test has noticed the mutant. */
module.exports = class MutationRunner extends TestRunner {
	async runTests(tests, watcher, options) {
		for (const test of tests) {
			if (!hasNoticed()) await super.runTests([test], watcher, options);
		}
	}
};
