import { randomUUID } from 'node:crypto';
import { readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** What n8n did about a workflow's triggers, as pollJournalHook.cjs wrote it down. */
export interface JournalEntry {
	/** The n8n process, which a restart changes. */
	pid: number;
	/** Milliseconds since the epoch. */
	at: number;
	/** Begins and ends to store what the triggers remember; has stored an execution. */
	what: 'saving' | 'saved' | 'created';
	workflowId: string;
}

const HOOK = join(__dirname, 'pollJournalHook.cjs');

/** Watches, in a running n8n, the order in which the classic scheduler stores what a poll gave. */
export class PollJournal {
	private readonly file = join(tmpdir(), `n8n-e2e-journal-${randomUUID()}`);

	/** Settings that make an n8n keep the journal. */
	get env(): NodeJS.ProcessEnv {
		return { NODE_OPTIONS: `--require=${HOOK}`, POLL_JOURNAL: this.file };
	}

	async entries(workflowId: string): Promise<JournalEntry[]> {
		const lines = (await readFile(this.file, 'utf8')).split('\n').filter(Boolean);
		const entries = lines.map((line) => JSON.parse(line) as JournalEntry);
		return entries.filter((entry) => entry.workflowId === workflowId);
	}

	/**
	 * How many n8n processes ended after they had begun to store what a poll remembers, and before
	 * the execution with its events was stored. The entry about an execution follows its storing,
	 * so there may be one too many, but never one too few.
	 */
	async interruptions(workflowId: string): Promise<number> {
		const newest = new Map<number, string>();
		for (const { pid, what } of await this.entries(workflowId)) {
			if (what !== 'saved') newest.set(pid, what);
		}
		return [...newest.values()].filter((what) => what === 'saving').length;
	}

	async remove(): Promise<void> {
		await rm(this.file, { force: true });
	}
}
