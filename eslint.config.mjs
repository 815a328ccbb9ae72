import { config } from '@n8n/node-cli/eslint';

/** What runs outside n8n, on the developer's machine: files, timers and processes are its trade. */
const outsideTheHost = ['sandbox/**/*.ts', 'tools/**/*.ts', 'test/**/*.ts', 'bench/**/*.ts'];

export default [
	...config,
	{
		files: outsideTheHost,
		rules: {
			'@n8n/community-nodes/no-restricted-globals': 'off',
			'@n8n/community-nodes/no-restricted-imports': 'off',
			'@n8n/community-nodes/no-dangerous-functions': 'off',
			'@n8n/community-nodes/require-node-api-error': 'off',
			'no-console': 'off',
		},
	},
];
