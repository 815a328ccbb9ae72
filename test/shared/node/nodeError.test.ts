import type { INode, NodeApiError } from 'n8n-workflow';

import { ServiceError } from '../../../nodes/shared/http/errors';
import { InputError } from '../../../nodes/shared/http/inputError';
import { toNodeError, withRemedy } from '../../../nodes/shared/node/nodeError';
import { node } from '../http/scriptedHost';

const tool: INode = { ...node, type: 'testTool' };

describe('toNodeError', () => {
	it.each([
		['user', node, ['It failed [item 3]', 'Try again later. Turn on X.']],
		['agent', tool, ['It failed. Try again later.', undefined]],
	])(
		'tells a %s what to do, and an agent nothing about items and the editor',
		(_, where, texts) => {
			const details = { description: 'Try again later.', inEditor: 'Turn on X.' };
			for (const error of [
				new ServiceError('It failed', details),
				new InputError('It failed', details.description, undefined, details.inEditor),
			]) {
				const { message, description } = toNodeError(where, error, 3);
				expect([message, description ?? undefined]).toEqual(texts);
			}
		},
	);

	it('quotes the start of an invalid input, and tells n8n that the configuration is the cause', () => {
		const { message, failure } = toNodeError(
			node,
			new InputError('It is odd', '', 'x'.repeat(500)),
		);
		expect(message).toBe(`It is odd, but it is "${'x'.repeat(39)}…"`);
		expect(failure).toMatchObject({ cause: 'configuration-invalid' });
	});

	it('masks and then shortens all texts, also of errors that it doesn’t know', () => {
		const mask = <T>(text: T) => String(text).replaceAll('secret', '***') as T;
		const long = `${'a '.repeat(298)}secret${' b'.repeat(500)}`;
		for (const error of [new ServiceError(long, { description: long }), new Error(long)]) {
			const { message, description } = toNodeError(node, error, undefined, mask);
			for (const text of [message, description ?? '']) {
				expect(text).not.toContain('sec');
				expect(text.length).toBeLessThanOrEqual(600);
			}
		}
	});

	it.each([undefined, '404'])(
		'an error has the HTTP status %s, which a picker shows before its message',
		(httpCode) => {
			const error = toNodeError(node, new ServiceError('It failed', { httpCode }));
			expect((error as NodeApiError).httpCode).toBe(httpCode ?? null);
		},
	);

	it('leaves n8n’s explanation of a missing file as it is', () => {
		const missing = Object.assign(new Error("ENOENT, open '/x'"), { code: 'ENOENT' });
		expect(toNodeError(node, missing).message).toBe('The file or directory does not exist');
		expect(toNodeError(node, new Error('NoEntry: ENOENTRY')).message).toBe('NoEntry: ENOENTRY');
	});

	it('shows what was thrown even if it isn’t an error', () => {
		expect(toNodeError(node, 'It failed').message).toBe('It failed');
	});
});

it.each([
	['It failed', 'Try again.', 'It failed. Try again.'],
	['Not now.', 'Try again.', 'Not now. Try again.'],
	['Not now!', 'Try again.', 'Not now! Try again.'],
	['Why?', 'Try again.', 'Why? Try again.'],
	['Too long…', 'Try again.', 'Too long… Try again.'],
	['It failed. Try again.', 'Try again.', 'It failed. Try again.'],
	['It failed', null, 'It failed'],
])(
	'the message "%s" with the description %j is "%s" in one text',
	(message, description, whole) => {
		expect(withRemedy(Object.assign(new Error(message), { description }))).toBe(whole);
	},
);
