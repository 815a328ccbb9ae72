import { z } from 'zod';

import { decodedBy, readState, writeState } from '../../nodes/LinkCompanyTrigger/state';

describe('the stored state', () => {
	const owner = { origin: 'o', key: 'k', account: 'a' };
	const text = writeState('fileCreated', owner, { mark: 5 });

	it('reads what was written', () => {
		expect(readState(text)).toEqual({ event: 'fileCreated', owner, data: { mark: 5 } });
	});

	it('is undefined when nothing was stored', () => {
		expect(readState(undefined)).toBeUndefined();
	});

	it.each([
		['cut off', text.slice(0, -3)],
		['no text', { mark: 5 }],
		['a number', '5'],
		['a list', '[]'],
		['without an owner', JSON.stringify({ version: 2, event: 'fileCreated', data: {} })],
		['edited', text.replace('"mark":5', '"mark":2e9')],
		['of another version', JSON.stringify({ ...(JSON.parse(text) as object), version: 1 })],
	])('is damaged when it is %s', (_, stored) => {
		expect(readState(stored)).toBe('damaged');
	});

	it('fails the schema of an event when its decoder cannot read it', () => {
		const schema = z.object({ n: decodedBy((data) => (data === '1' ? 1 : undefined)) });
		expect(schema.parse({ n: '1' })).toEqual({ n: 1 });
		expect(schema.safeParse({ n: '2' }).success).toBe(false);
	});
});
