import type { OperationCase } from '../operationCase';
import { getMany } from './lists';

export const ctaOverlayCases: OperationCase[] = [
	getMany('ctaOverlay', '/api/overlay', 'cta', {
		id: 52,
		type: 'message',
		name: 'Student Offer banner',
		date: '2025-09-30 01:16:29',
	}),
];
