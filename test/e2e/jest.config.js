const unitTests = require('../../jest.config.js');

/** @type {import('jest').Config} */
module.exports = {
	...unitTests,
	rootDir: '../..',
	roots: ['<rootDir>/test/e2e'],
	testPathIgnorePatterns: ['/node_modules/'],
	globalSetup: '<rootDir>/test/e2e/support/prepare.ts',
	testEnvironment: '<rootDir>/test/e2e/support/logEnvironment.ts',
	moduleNameMapper: {},
	// One n8n, browser or database server at a time is enough for a machine of two processors.
	maxWorkers: 1,
	// Everything inside waits for conditions with limits of its own; this one catches the rest.
	testTimeout: 8 * unitTests.testTimeout,
	verbose: true,
};
