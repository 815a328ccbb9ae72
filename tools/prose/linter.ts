import { TextlintKernel, type TextlintKernelOptions } from '@textlint/kernel';
import type { TextlintRuleModule } from '@textlint/types';
import { PHRASES } from './phrases';

/** Who reads a text: users in documents and in the editor, or developers in the code. */
export type Prose = 'document' | 'editor' | 'code';

export interface Finding {
	/** Line in the text, from 1. */
	line: number;
	rule: string;
	message: string;
}

type Options = Pick<TextlintKernelOptions, 'plugins' | 'rules'>;

const kernel = new TextlintKernel();

/** Reports the project's avoided phrases. Code in Markdown isn't part of the text. */
const avoidedPhrases: TextlintRuleModule = ({ Syntax, RuleError, report, getSource, locator }) => ({
	[Syntax.Str](node) {
		const text = getSource(node);
		for (const { avoid, write } of PHRASES) {
			for (const { 0: found, index } of text.matchAll(avoid)) {
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

let loading: Promise<Record<Prose, Options>> | undefined;

async function load(): Promise<Record<Prose, Options>> {
	const [markdown, text, terminology, writeGood] = await Promise.all(
		[
			import('@textlint/textlint-plugin-markdown'),
			import('@textlint/textlint-plugin-text'),
			import('textlint-rule-terminology'),
			import('textlint-rule-write-good'),
		].map(async (module) => unwrapped(await module)),
	);
	const plugins = [
		{ pluginId: 'markdown', plugin: markdown },
		{ pluginId: 'text', plugin: text },
	] as Options['plugins'];
	const forAll = [
		{ ruleId: 'avoided-phrases', rule: avoidedPhrases },
		{ ruleId: 'write-good', rule: writeGood, options: WRITE_GOOD },
	] as NonNullable<Options['rules']>;
	const terms = {
		ruleId: 'terminology',
		rule: terminology,
		options: { exclude: LEFT_OUT_TERMS },
	} as NonNullable<Options['rules']>[number];
	const forUsers = { plugins, rules: [...forAll, terms] };
	return { document: forUsers, editor: forUsers, code: { plugins, rules: forAll } };
}

/** An ES module's default export may be wrapped twice. */
function unwrapped(module: unknown): unknown {
	const { default: inner } = module as { default?: unknown };
	return inner === undefined ? module : unwrapped(inner);
}

/** Checks one text, a document as Markdown, and returns its findings. */
export async function lintProse(text: string, prose: Prose): Promise<Finding[]> {
	loading ??= load();
	const options = (await loading)[prose];
	const ext = prose === 'document' ? '.md' : '.txt';
	const { messages } = await kernel.lintText(text, { ext, ...options });
	return messages.map(({ loc, ruleId, message }) => ({
		line: loc.start.line,
		rule: ruleId,
		message: message.replaceAll(/\s+/g, ' '),
	}));
}
