import { z } from 'zod';

import { field, recordOf } from '../../../nodes/shared/node/recordSchema';
import type { RecordSchema } from '../../../nodes/shared/node/recordSchema';

const subject: RecordSchema = {
	name: 'a test record',
	schema: () =>
		z.object({
			id: field.id(),
			name: field.text(),
			count: field.whole(),
			score: field.number(),
			on: field.flag(),
		}),
};

describe('a record', () => {
	it.each([
		{ id: 7 },
		{ id: '7' },
		{ id: 7, name: 'A', count: 3, score: 0.5, on: true },
		{ id: '007', name: 2024, count: '3', score: '-0.5', on: 1 },
		{ id: 7, name: false, count: '', score: false, on: '0' },
		{ id: 7, name: null, count: null, score: null, on: null },
		{ id: 7, count: 3.5 },
		{ id: 7, extra: { nested: [1] } },
	])('passes as it came: %j', (record) => {
		expect(recordOf(subject, record)).toEqual(record);
	});

	it.each<[Record<string, unknown>, string]>([
		[{}, '"id" is missing'],
		[{ id: 0 }, '"id" is a number'],
		[{ id: 'abc' }, '"id" is a string'],
		[{ id: null }, '"id" is null'],
		[{ id: [7] }, '"id" is a list'],
		[{ id: true }, '"id" is a boolean'],
		[{ id: 7, name: { en: 'A' } }, '"name" is an object with en'],
		[{ id: 7, name: [] }, '"name" is an empty list'],
		[{ id: 7, count: 'many' }, '"count" is a string'],
		[{ id: 7, score: {} }, '"score" is an empty object'],
		[{ id: 7, on: 'perhaps' }, '"on" is a string'],
	])('is refused when it cannot be one: %j', (record, reason) => {
		expect(() => recordOf(subject, record)).toThrow(
			expect.objectContaining({
				message: 'The response has an unexpected shape',
				description: expect.stringContaining(
					`Expected a test record, but its field ${reason}`,
				) as string,
			}),
		);
	});

	it('is cleaned up before it is checked', () => {
		const tidied = { ...subject, tidy: ({ ID }: Record<string, unknown>) => ({ id: ID }) };
		expect(recordOf(tidied, { ID: 7 })).toEqual({ id: 7 });
	});
});
