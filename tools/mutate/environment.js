const SharedEnvironment = require('../../test/environment/environment.js');

const activeMutant = () => process.env.__STRYKER_ACTIVE_MUTANT__;

/** The last mutant that a test has noticed. */
let noticed;

/** Skips the tests after the first failed one of a mutant: Stryker can't make Jest stop there. */
module.exports = class MutationEnvironment extends SharedEnvironment {
	static hasNoticed() {
		return activeMutant() !== undefined && noticed === activeMutant();
	}

	handleTestEvent({ name, test }) {
		if (name === 'test_fn_failure' || name === 'hook_failure') noticed = activeMutant();
		if (name === 'test_start' && MutationEnvironment.hasNoticed()) test.mode = 'skip';
	}
};
