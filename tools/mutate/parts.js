/** What `MUTATE` can name: the sources to change, and the folders whose tests must notice. */
const PARTS = {
	limiter: {
		sources: ['nodes/shared/http/{limiter,rateWindow,ledger,headers}.ts'],
		tests: ['test/shared/http/{limiter,ledger,headers,pacing,request}'],
	},
	names: {
		sources: ['nodes/CompanyRegistry/names/*.ts'],
		tests: ['test/CompanyRegistry/names'],
	},
	pages: { sources: ['nodes/shared/http/pages.ts'], tests: ['test/shared/http/pages'] },
	poll: {
		// The panel and its hints are compared with their snapshots.
		sources: ['nodes/shared/poll/*.ts', '!nodes/shared/poll/panel.ts'],
		tests: ['test/shared/poll', 'test/CompanyRegistry/events', 'test/engine/trigger'],
	},
};

const name = process.env.MUTATE ?? '';
if (!(name in PARTS)) {
	throw new Error(`Set MUTATE to one of ${Object.keys(PARTS).join(', ')}, not "${name}"`);
}

module.exports = { name, ...PARTS[name] };
