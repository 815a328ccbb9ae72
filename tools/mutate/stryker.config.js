const { name, sources } = require('./parts');

/** @type {import('@stryker-mutator/api/core').PartialStrykerOptions} */
module.exports = {
	testRunner: 'jest',
	jest: {
		projectType: 'custom',
		configFile: 'tools/mutate/jest.config.js',
		// The Jest configuration above already names the tests to run.
		enableFindRelatedTests: false,
	},
	coverageAnalysis: 'perTest',
	mutate: sources,
	// swc needs no rewritten tsconfig.
	tsconfigFile: 'none',
	// Skips tables and other constants, because each change would need a run of all tests.
	ignoreStatic: true,
	// A loaded machine must not look like an endless loop.
	timeoutMS: 15_000,
	ignorePatterns: ['docs/images', 'dist', 'test-results'],
	tempDirName: 'test-results/mutate/sandbox',
	reporters: ['clear-text', 'html', 'progress-append-only'],
	clearTextReporter: { logTests: false, reportTests: false },
	htmlReporter: { fileName: `test-results/mutate/${name}.html` },
};
