/** @type {import('jest').Config} */
module.exports = {
	testEnvironment: 'node',
	// Only a test that hangs should end by time; a busy machine takes many times as long.
	testTimeout: 60_000,
	roots: ['<rootDir>/test'],
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
