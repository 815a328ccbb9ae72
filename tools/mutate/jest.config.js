const config = require('../../jest.config.js');
const { tests } = require('./parts');

/** @type {import('jest').Config} */
module.exports = {
	...config,
	rootDir: '../..',
	roots: ['<rootDir>/test'],
	// Stryker wraps this environment and doesn't know <rootDir>.
	testEnvironment: require.resolve('../../test/environment/environment.js'),
	testMatch: tests.map((path) => `<rootDir>/${path}{,/**/*,*}.test.ts`),
};
