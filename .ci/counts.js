const { writeFileSync } = require('node:fs');

/** Writes the counts of a run of Jest to a file, for `.ci/run`. */
module.exports = class CountReporter {
	constructor(_globalConfig, { file }) {
		this.file = file;
	}

	onRunComplete(_contexts, results) {
		const { numPassedTests, numFailedTests, numPendingTests, numTodoTests } = results;
		const { numRuntimeErrorTestSuites } = results;
		const counts = { numPassedTests, numFailedTests, numPendingTests, numTodoTests };
		writeFileSync(this.file, JSON.stringify({ ...counts, numRuntimeErrorTestSuites }));
	}
};
