import type { OperationCase } from '../operationCase';

export const idnoCases: OperationCase[] = [
	{
		operation: 'idno.validate',
		variants: ['v1', 'unversioned'],
		parameters: { idnoToValidate: '1003600015230' },
		exchanges: [],
		output: [
			{
				idno: '1003600015230',
				valid: false,
				reason: 'The last digit is 0, but the check digit should be 1.',
				expectedCheckDigit: 1,
			},
		],
	},
];
