const SharedEnvironment = require('../../test/environment/environment.js');

/** The last mutant that a test has noticed. */
let noticed;

/** Skips what comes after the first failed test of a mutant, since Stryker can't make Jest stop there. */
module.exports = class MutationEnvironment extends SharedEnvironment {
	handleTestEvent({ name, test }) {
		const mutant = process.env.__STRYKER_ACTIVE_MUTANT__;
		if (mutant === undefined) return;
		if (name === 'test_fn_failure' || name === 'hook_failure') noticed = mutant;
		if (name === 'test_start' && noticed === mutant) test.mode = 'skip';
	}
};
