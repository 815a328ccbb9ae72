import type { OperationCase } from '../operationCase';
import { getMany } from './lists';

export const splashPageCases: OperationCase[] = [
	getMany('splashPage', '/api/splash', 'splash', {
		id: 51,
		name: 'Press Kit splash',
		date: '2025-09-30 04:51:46',
	}),
];
