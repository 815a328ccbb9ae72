import { configureGlobal } from 'fast-check';

/**
 * The same random cases in every run, so that a failure is the change's own. New cases are looked
 * for with another seed: `PROPERTY_SEED=$RANDOM npm test`.
 */
configureGlobal({ seed: Number(process.env.PROPERTY_SEED ?? 20_260_101) });
