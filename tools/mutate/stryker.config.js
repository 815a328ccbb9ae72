const { name, sources } = require('./parts');

/** @type {import('@stryker-mutator/api/core').PartialStrykerOptions} */
module.exports = {
	testRunner: 'jest',
	jest: { projectType: 'custom', configFile: 'tools/mutate/jest.config.js' },
	coverageAnalysis: 'perTest',
	mutate: sources,
	// Nothing to rewrite in it for swc.
	tsconfigFile: 'none',
	// Tables and other constants: each change would need a run of all tests.
	ignoreStatic: true,
	timeoutMS: 3_000,
	ignorePatterns: ['docs/images', 'dist', 'test-results'],
	tempDirName: 'test-results/mutate/sandbox',
	reporters: ['clear-text', 'html'],
	clearTextReporter: { logTests: false, reportTests: false },
	htmlReporter: { fileName: `test-results/mutate/${name}.html` },
};
