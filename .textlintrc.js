// Checks documents, editor texts, errors, comments, test titles and example workflows.
module.exports = {
	plugins: { [require.resolve('./tools/prose/plugin.ts')]: true },
	rules: {
		prh: { rulePaths: ['tools/prose/style.yml'] },
		// Romanian for "process".
		'common-misspellings': { ignore: ['proces'] },
		terminology: {
			// Terms that n8n's editor and npm's documents write differently, and the field `id`.
			exclude: [
				...['readme(s)?', 'API', 'JSON', "API['’]?s", 'camel[-_ ]?case'],
				...['file[- ]name(s)?', 'indexes\\b', 'lock[- ]file(s)?'],
				...['HTML', 'PDF', 'Bash', 'off ?by ?one', 'ID', "id['’]?s", 'web[- ]?site(s)?'],
			],
		},
		// Its other checks count "request" or "multiple" as bad style.
		'write-good': {
			...{ illusion: true, cliches: false },
			...{ passive: false, weasel: false, so: false, thereIs: false, adverb: false },
			...{ tooWordy: false, eprime: false },
		},
	},
};
