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
	// One suite at a time, because its n8n, browser and servers keep two processors busy.
	maxWorkers: 1,
	// Waits inside the tests have their own limits. This one catches everything else.
	testTimeout: 8 * unitTests.testTimeout,
	verbose: true,
};
