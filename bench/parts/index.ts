import type { Part } from '../part';
import { duplicates } from './duplicates';
import { load } from './load';
import { overhead } from './overhead';
import { returnAll } from './returnAll';
import { scale } from './scale';
import { trigger } from './trigger';
import { underLimit } from './underLimit';
import { upload } from './upload';

/** In the order in which they are run and documented. */
export const PARTS: Part[] = [
	overhead,
	returnAll,
	underLimit,
	duplicates,
	upload,
	trigger,
	load,
	scale,
];
