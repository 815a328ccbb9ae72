import config from '../eslint.config.mjs';

/**
 * Files, timers and processes are fine on a developer's machine. n8n's own configuration in the
 * project's folder stays as it is, which n8n Cloud requires; ESLint uses the nearest one.
 */
export default [
	...config,
	{
		files: ['**/*.ts'],
		rules: {
			'@n8n/community-nodes/no-restricted-globals': 'off',
			'@n8n/community-nodes/no-restricted-imports': 'off',
			'@n8n/community-nodes/no-dangerous-functions': 'off',
			'@n8n/community-nodes/require-node-api-error': 'off',
			'no-console': 'off',
		},
	},
];
