import { readFileSync } from 'node:fs';
import { basename, join } from 'node:path';

import { CompanyRegistryApi } from '../../credentials/CompanyRegistryApi.credentials';
import { LinkManagementApi } from '../../credentials/LinkManagementApi.credentials';
import { headingsOf } from '../../tools/docs/markdown';
import { messagesBelow, messagesIn, VARIABLE } from './messages';

const ROOT = join(__dirname, '..', '..');

/** Put together from messages that are known on their own, or n8n's and the services' own words. */
const COMPOSED = [
	`The parameter "${VARIABLE}" ${VARIABLE}`,
	`${VARIABLE} (${VARIABLE}): ${VARIABLE}`,
	`${VARIABLE}. ${VARIABLE}`,
];

/** Where a message is handed on, or is one of a service or of n8n, and no text in the source. */
const HANDED_ON = [
	'endpoint.ts: error.message',
	'enrich.ts: check.reason',
	'nodeError.ts: String(error)',
	'nodeError.ts: error',
	'nodeError.ts: error.message',
	'nodeError.ts: item',
	'nodeError.ts: { message } as JsonObject',
	'poll.ts: message',
	'response.ts: said',
];

const made = messagesBelow(join(ROOT, 'nodes'));
const messages = new Set(
	[
		...made.messages.map(({ text }) => text),
		...[new LinkManagementApi(), new CompanyRegistryApi()].flatMap(({ test }) =>
			(test.rules ?? []).map(({ properties }) => String(properties.message)),
		),
	].filter((text) => !COMPOSED.includes(text)),
);
const entries = entriesOf(readFileSync(join(ROOT, 'docs', 'troubleshooting.md'), 'utf8'));

/** The messages that a page explains: headings, and the first column of tables of messages. */
function entriesOf(page: string): string[] {
	const headings = headingsOf(page).filter(({ level }) => level === 3);
	const tables = page.match(/^\| Message \|.*\n(?:\|.*\n)*/gm) ?? [];
	const cells = tables.flatMap((rows) =>
		rows
			.trim()
			.split('\n')
			.slice(2)
			.map((row) => row.split(' | ')[0]!.slice(2)),
	);
	return [...headings.map(({ text }) => text), ...cells];
}

/** Whether an entry is about a message: the entry may leave more open than the message does. */
function explains(entry: string, message: string): boolean {
	const parts = entry.split(VARIABLE).map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
	return new RegExp(`^${parts.join('.+')}$`).test(message);
}

/** Sections of the page that are not a message. */
const GROUPS = ['Invalid values', 'In n8n’s log'];

describe('the page about errors', () => {
	it.each([...messages])('explains "%s"', (message) => {
		expect(entries.filter((entry) => explains(entry, message))).not.toEqual([]);
	});

	it.each(entries.filter((entry) => !GROUPS.includes(entry)))(
		'has a message of the sources for its entry "%s"',
		(entry) => {
			expect(messages).toContain(entry);
		},
	);

	it('explains no message twice', () => {
		expect(entries).toHaveLength(new Set(entries).size);
	});

	it('is compared with all messages, except those listed as unreadable', () => {
		const unread = made.unreadable.map(
			({ file, expression }) => `${basename(file)}: ${expression}`,
		);
		expect([...new Set(unread)].sort()).toEqual(HANDED_ON);
		expect(messages.size).toBeGreaterThan(60);
	});
});

describe('the reader of messages', () => {
	const textsIn = (source: string) => messagesIn(source, 'x.ts').messages.map(({ text }) => text);

	it('finds what is thrown, logged, or given as a reason', () => {
		expect(
			textsIn(`
				throw new InputError('One', 'Hint');
				new ServiceError(quote ?? \`\${name} failed (HTTP \${status})\`, {});
				new ValidationFailure(\`must be two, \${got(value)}\`);
				this.warn(a, 'Three');
				return { reason: 'Four.' };
				throw new Error(isFile ? 'Five' : \`Six \${7}\`);
			`),
		).toEqual([
			'One',
			'… failed (HTTP …)',
			'The parameter "…" must be two, but it is "…"',
			'Three',
			'Four.',
			'Five',
			'Six …',
		]);
	});

	it('reports a message that is not a literal', () => {
		const { unreadable } = messagesIn('throw new InputError(MESSAGE);', 'x.ts');
		expect(unreadable).toEqual([{ expression: 'MESSAGE', file: 'x.ts' }]);
	});

	it('would miss an entry', () => {
		expect(explains('A file is missing', 'A folder is missing')).toBe(false);
		expect(explains('… is missing', 'A folder is missing')).toBe(true);
		expect(explains('A … is missing', '… is missing')).toBe(false);
	});
});
