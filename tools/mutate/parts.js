/** What `MUTATE` can name: the sources to change, and the folders whose tests must notice. */
const PARTS = {
	enrich: {
		sources: ['nodes/CompanyRegistry/enrich/{read,match}/*.ts'],
		tests: ['test/CompanyRegistry/enrich'],
	},
	pages: { sources: ['nodes/shared/http/pages.ts'], tests: ['test/shared/http/pages'] },
	poll: {
		// The panel and its hints are compared with their snapshots in docs/.
		sources: ['nodes/shared/poll/*.ts', '!nodes/shared/poll/{builderHint,panel}.ts'],
		tests: [
			'test/shared/poll',
			'test/LinkManagement',
			'test/CompanyRegistry/events',
			'test/engine/trigger',
		],
	},
	rateLimit: {
		sources: ['nodes/shared/http/rateLimit/*.ts'],
		tests: ['test/shared/http/rateLimit', 'test/shared/http/sendRequest'],
	},
};

const name = process.env.MUTATE ?? '';
if (!(name in PARTS)) {
	throw new Error(`Set MUTATE to one of ${Object.keys(PARTS).join(', ')}, not "${name}"`);
}

module.exports = { name, ...PARTS[name] };
