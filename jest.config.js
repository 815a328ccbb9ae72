/** @type {import('jest').Config} */
module.exports = {
	testEnvironment: '<rootDir>/test/environment/environment.js',
	// Loaded once per worker.
	moduleNameMapper: {
		'^(express|fast-check|n8n-core|n8n-workflow|typescript|zod)$':
			'<rootDir>/test/environment/$1.js',
	},
	// All processors, because many tests wait for servers rather than compute.
	maxWorkers: '100%',
	// Keeps two workers below 2 GB in total.
	workerIdleMemoryLimit: '500MB',
	reporters: [
		'default',
		// `.ci/run` reads the counts.
		...(process.env.TEST_REPORT
			? [['<rootDir>/.ci/counts.js', { file: process.env.TEST_REPORT }]]
			: []),
	],
	// Only ends tests that hang. A slow machine must not reach it.
	testTimeout: 5 * 60_000,
	// Includes nodes/ and credentials/, so that --findRelatedTests finds a file's tests.
	roots: ['<rootDir>/test', '<rootDir>/nodes', '<rootDir>/credentials'],
	setupFiles: ['<rootDir>/test/propertySeed.ts'],
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
