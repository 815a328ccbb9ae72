import type { Resource } from '../../shared/node/resource';
import { splashPages } from '../api';
import { getMany } from '../operations';

export const splashPage: Resource = {
	name: 'Splash Page',
	value: 'splashPage',
	description: 'A page that visitors see before a short link takes them to its target',
	operations: [getMany(splashPages, 'splash pages')],
	properties: [],
};
