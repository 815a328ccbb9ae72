import { configureGlobal } from 'fast-check';

configureGlobal({
	/**
	 * The same random cases in every run, so that a failure is the change's own. New cases are
	 * looked for with another seed: `PROPERTY_SEED=$RANDOM npm test`.
	 */
	seed: Number(process.env.PROPERTY_SEED ?? 20_260_101),
	// A mutation test asks whether a test fails, not for the smallest case in which it does.
	endOnFailure: process.env.MUTATE !== undefined,
});
