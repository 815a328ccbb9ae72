import { TextlintKernel } from '@textlint/kernel';
import markdown from '@textlint/textlint-plugin-markdown';
import text from '@textlint/textlint-plugin-text';
import type { TextlintRuleModule } from '@textlint/types';
import terminology from 'textlint-rule-terminology';
import writeGood from 'textlint-rule-write-good';
import { PHRASES } from './phrases';

/** Who reads a text: users in documents and in the editor, or developers in the code. */
export type Prose = 'document' | 'editor' | 'code';

export interface Finding {
	/** Line in the text, from 1. */
	line: number;
	rule: string;
	message: string;
}

const kernel = new TextlintKernel();

/** Reports the project's avoided phrases. Code in Markdown isn't part of the text. */
const avoidedPhrases: TextlintRuleModule = ({ Syntax, RuleError, report, getSource, locator }) => ({
	[Syntax.Str](node) {
		const source = getSource(node);
		for (const { avoid, write } of PHRASES) {
			for (const { 0: found, index } of source.matchAll(avoid)) {
				const padding = locator.range([index, index + found.length]);
				report(node, new RuleError(`Avoid "${found}". Write: ${write}`, { padding }));
			}
		}
	},
});

/** Rules of `terminology` that n8n's editor and npm's documents don't follow. */
const LEFT_OUT_TERMS = [
	'readme(s)?',
	'API',
	'JSON',
	"API['’]?s",
	'camel[-_ ]?case',
	'file[- ]name(s)?',
	'indexes\\b',
	'lock[- ]file(s)?',
];

/** The checks of write-good that don't count "request" or "multiple" as bad style. */
const WRITE_GOOD = {
	illusion: true,
	cliches: true,
	passive: false,
	weasel: false,
	so: false,
	thereIs: false,
	adverb: false,
	tooWordy: false,
	eprime: false,
};

const plugins = [
	{ pluginId: 'markdown', plugin: markdown },
	{ pluginId: 'text', plugin: text },
];
const forAll = [
	{ ruleId: 'avoided-phrases', rule: avoidedPhrases },
	{ ruleId: 'write-good', rule: writeGood, options: WRITE_GOOD },
];
const exclude = LEFT_OUT_TERMS;
const terms = { ruleId: 'terminology', rule: terminology, options: { exclude } };

/** Checks one text, a document as Markdown, and returns its findings. */
export async function lintProse(prose: string, kind: Prose): Promise<Finding[]> {
	const rules = kind === 'code' ? forAll : [...forAll, terms];
	const ext = kind === 'document' ? '.md' : '.txt';
	const { messages } = await kernel.lintText(prose, { ext, plugins, rules });
	return messages.map(({ loc, ruleId, message }) => ({
		line: loc.start.line,
		rule: ruleId,
		message: message.replaceAll(/\s+/g, ' '),
	}));
}
