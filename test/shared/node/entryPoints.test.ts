import type { IExecuteFunctions, INodeExecutionData, INodeProperties } from 'n8n-workflow';

import type { Service } from '../../../nodes/shared/http/connection';
import { InputError } from '../../../nodes/shared/http/inputError';
import type { Json } from '../../../nodes/shared/http/json';
import type { Call } from '../../../nodes/shared/node/call';
import { customOperations } from '../../../nodes/shared/node/entryPoints';
import type { Operation } from '../../../nodes/shared/node/operation';
import type { Run, RunEnd } from '../../../nodes/shared/node/run';
import { useFakeClock } from '../http/scriptedHost';

const clock = useFakeClock();
let runs = 0;

/** What an operation does with the run that it has opened. */
interface Opened {
	/** The items' places, in the order in which they start. */
	order?: number[];
	/** Gets the places of the items that it opens the run with. */
	opens?(items: number[]): void;
	end?(run: Run): RunEnd;
}

/** The index of an item. */
const at = (call: Call) => call.context.getItemIndex();

/** Runs an operation for items, against a service with a limit of requests per minute. */
async function runAll(
	run: (call: Call) => Promise<Json[]>,
	items: number,
	{
		continues = false,
		limit = 1_000,
		perDay = 0,
		name = 'create',
		onError = 'continueRegularOutput',
		invalid = -1,
		open = {} as Opened,
	} = {},
) {
	const service: Service = {
		name: 'Things',
		credential: 'thingsApi',
		rate: () => ({ limit, windowMs: 60_000, ...(perDay > 0 && { perDay }) }),
		succeeded: () => true,
	};
	const credential = { baseUrl: 'https://things.example', apiKey: `key-12345-${++runs}` };
	const operation: Operation<Call> = {
		endpoints: [],
		keep: ({ row }) => ({ row }),
		prepare(call) {
			if (at(call) === invalid) throw new InputError('Invalid');
			return call;
		},
		open(calls, ofRun) {
			open.opens?.(calls.map(at));
			return {
				execute: async (call) => ({ records: await run(call) }),
				order: open.order,
				end: () => open.end?.(ofRun) ?? {},
			};
		},
	};
	const option = { name: 'Create', value: 'create', routing: { operation } };
	const others = ['update', 'upsert'].map((value) => ({ ...option, value }));
	const properties = [
		{
			...{ displayName: 'Operation', name: 'operation', type: 'options', default: '' },
			displayOptions: { show: { resource: ['thing'] } },
			options: [option, ...others],
		},
	] as INodeProperties[];
	const urls: string[] = [];
	const hints: string[] = [];
	const context = {
		getInputData: () => Array.from({ length: items }, (_, row) => ({ json: { row } })),
		getNode: () => ({ type: 'things', name: 'Things', parameters: {}, onError }),
		getNodeParameter: (_name: string, _index: number, fallback: unknown) => fallback,
		getExecutionCancelSignal: () => undefined,
		getCredentials: async () => credential,
		continueOnFail: () => continues,
		addExecutionHints: ({ message }: { message: string }) => hints.push(message),
		helpers: {
			async httpRequestWithAuthentication(_type: string, { url }: { url: string }) {
				urls.push(url);
				return { statusCode: 200, headers: {}, body: '{"id":1}' };
			},
		},
	} as unknown as IExecuteFunctions;
	const execute = customOperations(service, properties).thing![name]!;
	const output = await clock.until(execute.call(context)).then(
		(outputs) => (outputs as INodeExecutionData[][])[0]!.map(({ json }) => json),
		(error: Error & { description?: string }) => error,
	);
	return { output, urls, hints };
}

const get = async (call: Call, path: string) =>
	await call.send({ method: 'GET', path: `/${path}` });

// test/engine/nodeCalls.test.ts covers that nothing is sent if an item is invalid.
describe('customOperations', () => {
	it('starts items in the operation’s order, and outputs them in the input’s', async () => {
		const run = async (call: Call) => {
			await get(call, `item-${at(call)}`);
			return [{ item: at(call) }];
		};
		// With a small quota, items run one after the other.
		const options = { perDay: 100, open: { order: [3, 1, 0, 2] } };
		const { output, urls } = await runAll(run, 4, options);
		expect(urls).toEqual(['/item-3', '/item-1', '/item-0', '/item-2']);
		expect(output).toEqual([0, 1, 2, 3].map((item) => ({ item })));
	});

	it('opens the run with the valid items only', async () => {
		const opens = jest.fn();
		const run = async (call: Call) => [{ item: at(call) }];
		await runAll(run, 3, { invalid: 1, continues: true, open: { opens } });
		expect(opens).toHaveBeenCalledWith([0, 2]);
	});

	// n8n's error output takes items that have nothing but an `error`.
	it.each([
		['continueRegularOutput', { row: 1, error: 'Invalid [item 1]' }],
		['continueErrorOutput', { error: 'Invalid [item 1]' }],
	])('with On Error set to %s, an item that fails becomes %j', async (onError, failed) => {
		const run = async (call: Call) => [{ item: at(call) }];
		const { output } = await runAll(run, 3, { invalid: 1, continues: true, onError });
		expect(output).toEqual([{ item: 0 }, failed, { item: 2 }]);
	});

	it('fails at its end if the operation says so, unless it continues', async () => {
		const open = { end: () => ({ failure: new InputError('No row was checked') }) };
		const run = async (call: Call) => [{ item: at(call) }];
		const failed = await runAll(run, 2, { open });
		expect(failed.output).toMatchObject({ message: 'No row was checked' });
		const { output } = await runAll(run, 2, { open, continues: true });
		expect(output).toEqual([{ item: 0 }, { item: 1 }]);
	});

	it('shows the operation’s notices at its end, when all requests have been sent', async () => {
		const end = ({ requestsSent }: Run) => ({
			notices: [{ message: `${requestsSent} requests`, type: 'info' as const }],
		});
		const run = async (call: Call) => [{ got: await get(call, `item-${at(call)}`) }];
		expect((await runAll(run, 3, { open: { end } })).hints).toEqual(['3 requests']);
	});

	it.each([
		['ten items at a time', 0, 10],
		['one item after the other while the key’s daily quota is small', 100, 1],
	])('works on %s', async (_, perDay, expected) => {
		let [inProgress, most] = [0, 0];
		const run = async () => {
			most = Math.max(most, ++inProgress);
			await clock.sleep(1_000);
			inProgress--;
			return [];
		};
		await runAll(run, 40, { perDay });
		expect(most).toBe(expected);
	});

	const again =
		" You can run all items again with Create or Update, which doesn't create a record twice.";

	it.each([
		['create', again],
		['upsert', again],
		['update', ''],
	])(
		'an error of %s says how many items were written, with those that were under way, and how to go on',
		async (name, advice) => {
			const run = async (call: Call) => {
				if (at(call) === 5) throw new InputError('Wrong', 'Mend it.');
				await call.send({ method: 'POST', path: `/${at(call)}` });
				return [];
			};
			const { output, urls } = await runAll(run, 20, { name });
			expect(urls.length).toBeGreaterThan(1);
			expect((output as { description?: string }).description).toBe(
				`Mend it. ${urls.length} items were written in this run.${advice}`,
			);
		},
	);

	it('finishes the items it has started before it starts others, within the rate limit, and says how long that took', async () => {
		const run = async (call: Call) => {
			await get(call, `first-${at(call)}`);
			await get(call, `second-${at(call)}`);
			return [];
		};
		const { urls, hints } = await runAll(run, 8, { limit: 2 });
		expect(hints).toEqual([expect.stringMatching(/^Waited \d{3} s for the rate limit$/)]);
		const started = urls.map((url) => Number(url.split('-')[1]));
		expect(started).toEqual([0, 1, 0, 1, 2, 3, 2, 3, 4, 5, 4, 5, 6, 7, 6, 7]);
	});
});
