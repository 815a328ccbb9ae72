import { configureGlobal } from 'fast-check';

configureGlobal({
	/**
	 * Every run uses the same random cases, so a new failure comes from a change in the code.
	 * `PROPERTY_SEED=$RANDOM npm test` tries new ones.
	 */
	seed: Number(process.env.PROPERTY_SEED ?? 20_260_101),
	// A mutation test only asks whether a test fails, so it can skip the search for a smaller case.
	endOnFailure: process.env.MUTATE !== undefined,
});
