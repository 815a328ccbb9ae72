const { default: Sequencer } = require('@jest/test-sequencer');

/** Most mutants are noticed by the quick tests of their own file, so the slow ones come last. */
module.exports = class QuickestFirst extends Sequencer {
	sort(tests) {
		return super.sort(tests).sort((a, b) => (a.duration ?? 0) - (b.duration ?? 0));
	}
};
