import { randomUUID } from 'node:crypto';
import { rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort, N8nApi, until } from '../../tools/host';
import { timeLimit } from '../../tools/timeLimits';
import { PollJournal, type JournalEntry } from './support/pollJournal';
import { OWNER, startStage, startWatched, type Stage } from './support/stage';
import { chain, everySeconds, linkCompanyTrigger, outputOf, passOn } from './support/workflows';

const DIE_WHEN = join(tmpdir(), `n8n-e2e-die-${randomUUID()}`);
const TRIGGER = 'Trigger';
const SEVERAL_POLLS = 5;

const journal = new PollJournal();
let stage: Stage;

beforeAll(async () => {
	stage = await startStage({ env: { ...journal.env, DIE_WHEN } });
	stage.cleanup.add(async () => await rm(DIE_WHEN, { force: true }));
	stage.cleanup.add(async () => await journal.remove());
});

afterAll(async () => await stage?.cleanup.run());

/**
 * When a poll returns events, n8n's classic scheduler starts to store what the trigger remembers
 * and, without waiting for it, to create the execution: `__emit` in n8n's
 * workflows/triggers/trigger-execution-context.factory.js. Ended between the two, it has forgotten
 * the events but not that they were emitted. No trigger node can close this window; the durable
 * scheduler, which stores both in one transaction, has none.
 */
it(
	'loses a poll’s events only where n8n ends between storing its state and its execution',
	async () => {
		const { api, credentials, sandbox, host, userFolder } = stage;
		const trigger = linkCompanyTrigger(TRIGGER, credentials.links, everySeconds(2), {
			event: 'fileCreated',
		});
		const id = await api.createWorkflow(chain('Window', [trigger, passOn('Seen')]));
		await api.publishWorkflow(id);
		const { control } = sandbox.links;

		const before: number[] = [];
		for (let poll = 1; poll <= SEVERAL_POLLS; poll++) {
			before.push(control.addFile({ name: `before-${poll}.pdf` }).id);
			await until(`event ${poll}`, async () => (await api.executionIds(id)).length === poll);
		}
		const widths = windowsIn(await journal.entries(id));
		console.log(`n8n's window, in ms: ${widths.join(', ')}`);
		expect(widths).toHaveLength(SEVERAL_POLLS);

		await writeFile(DIE_WHEN, '');
		const inside = control.addFile({ name: 'inside-the-window.pdf' });
		expect(await stage.n8n.ended).toBe('SIGKILL');

		const restarted = await startWatched('n8n', { host, userFolder, port: await freePort() });
		stage.cleanup.add(async () => await restarted.stop());
		const newApi = new N8nApi(restarted.url);
		await newApi.logIn(OWNER);
		const after = control.addFile({ name: 'after.pdf' });
		const seen = async () => {
			const ids = await newApi.executionIds(id, { ended: true });
			const executions = await Promise.all(ids.map(async (each) => await newApi.execution(each)));
			return executions.flatMap((execution) =>
				outputOf(execution, TRIGGER).map(({ json }) => json.id),
			);
		};
		await until('the event after the restart', async () => (await seen()).includes(after.id));

		expect(await seen()).toEqual([...before, after.id]);
		expect(await seen()).not.toContain(inside.id);
	},
	timeLimit(5 * 60_000),
);

/** How long each window was, in ms: from the storing of the state to that of the execution. */
function windowsIn(entries: JournalEntry[]): number[] {
	return entries.flatMap(({ what, at }, index) => {
		if (what !== 'created') return [];
		const begun = entries.slice(0, index).findLast((entry) => entry.what === 'saving');
		return begun ? [at - begun.at] : [];
	});
}
