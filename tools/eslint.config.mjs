import config from '../eslint.config.mjs';

/**
 * Tools may use files, timers and processes. ESLint uses the nearest configuration, so the one in the
 * project's folder can stay n8n's own, as n8n Cloud requires.
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
