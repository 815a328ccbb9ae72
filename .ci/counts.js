const { writeFileSync } = require('node:fs');

/**
 * Writes a run of Jest to a file for `.ci/run`: the numbers of passed, failed and skipped tests, and then
 * a line for each skipped test.
 */
module.exports = class CountReporter {
	constructor(_globalConfig, { file }) {
		this.file = file;
	}

	onRunComplete(
		_contexts,
		{ numPassedTests, numFailedTests, numRuntimeErrorTestSuites, testResults },
	) {
		const skipped = testResults.flatMap((suite) =>
			suite.testResults.filter(({ status }) => !['passed', 'failed'].includes(status)),
		);
		// Jest doesn't count a file that can't be loaded as a failed test.
		const failed = numFailedTests + numRuntimeErrorTestSuites;
		const names = skipped.map(({ fullName }) => fullName.replaceAll('\n', ' '));
		const lines = [`${numPassedTests} ${failed} ${skipped.length}`, ...names];
		writeFileSync(this.file, `${lines.join('\n')}\n`);
	}
};
