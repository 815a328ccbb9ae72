const { measureTimeLimitFactor } = require('./tools/timeLimits/measure');

// Measured once; workers inherit it.
process.env.TIME_LIMIT_FACTOR ??= String(measureTimeLimitFactor());

/** @type {import('jest').Config} */
module.exports = {
	testEnvironment: 'node',
	// Every processor: many tests wait for servers rather than compute.
	maxWorkers: '100%',
	// Only for tests that hang.
	testTimeout: 60_000 * Number(process.env.TIME_LIMIT_FACTOR),
	roots: ['<rootDir>/test'],
	setupFiles: ['<rootDir>/test/propertySeed.ts'],
	setupFilesAfterEnv: ['<rootDir>/test/retry.ts'],
	testPathIgnorePatterns: ['/node_modules/', '<rootDir>/test/e2e/'],
	transform: {
		'^.+\\.ts$': [
			'@swc/jest',
			{
				jsc: { target: 'es2022', parser: { syntax: 'typescript' } },
				module: { type: 'commonjs' },
			},
		],
	},
};
