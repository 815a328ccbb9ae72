import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { DAY_MS, systemClock } from '../../nodes/shared/http/clock';
import { startSandbox } from '../../sandbox';
import { happen, watch } from '../../tools/docs/watch';
import type { SavedTrigger } from '../../tools/release/save';
import type { NodeName, OperationCase } from '../cases';
import { runCase } from '../cases/runCase';
import { jsonOf } from '../engine/harness';

const versions = readdirSync(__dirname, { withFileTypes: true })
	.filter((entry) => entry.isDirectory())
	.map(({ name }) => name);

function readSaved<T>(version: string, file: string): T {
	return JSON.parse(readFileSync(join(__dirname, version, file), 'utf8')) as T;
}

// `npm run released` saves what a version's users have stored in n8n, before the version is released.
describe.each(versions)('Workflow of version %s', (version) => {
	const operations = readSaved<Record<NodeName, OperationCase[]>>(version, 'operations.json');
	const cases = (Object.keys(operations) as NodeName[]).flatMap((node) =>
		operations[node].map((each) => [`${node}: ${each.operation}`, node, each] as const),
	);

	test.each(cases)(
		'sends the same requests and returns the same fields as before with %s',
		async (_, node, each) => {
			const { items, error, received } = await runCase(node, each);
			expect(error).toBeUndefined();
			expect(received.filter(({ expected }) => !expected)).toEqual([]);
			expect(received).toHaveLength(each.exchanges.length);
			// Later versions may add fields.
			expect(jsonOf(items)).toMatchObject(each.output);
		},
	);

	test.each(readSaved<SavedTrigger[]>(version, 'triggers.json'))(
		'continues $event from its stored state',
		async ({ event, state, fields }) => {
			const sandbox = await startSandbox();
			const host = watch(event, sandbox, 'durable');
			try {
				host.state = state.replaceAll('{url}', sandbox.url);
				await host.tick();
				expect(host.take()).toEqual([]);
				happen(event, sandbox);
				// Every company is checked within a day.
				const now = Date.now() + DAY_MS;
				jest.spyOn(systemClock, 'now').mockImplementation(() => now);
				await host.tick();
				const [item = {}] = host.take();
				expect(Object.keys(item)).toEqual(expect.arrayContaining(fields));
				expect([host.errors, host.warnings]).toEqual([[], []]);
			} finally {
				jest.restoreAllMocks();
				await sandbox.close();
			}
		},
	);
});

test('has saved workflows for every released version in the changelog', () => {
	const changelog = readFileSync(join(__dirname, '..', '..', 'CHANGELOG.md'), 'utf8');
	const released = [...changelog.matchAll(/^## \[([^\]]+)\] - \d{4}/gm)].map(([, name]) => name!);
	const missing = released.filter((name) => !existsSync(join(__dirname, name)));
	expect(missing).toEqual([]);
});
