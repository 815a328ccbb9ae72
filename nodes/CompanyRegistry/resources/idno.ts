import { showFor } from '../../shared/node/options';
import type { Resource } from '../../shared/node/resource';
import { checkIdno, wantsCheckDigit } from '../idno';

/** For the rules, see docs/company-registry.md, "Select a company". */
export const idnoResource: Resource = {
	name: 'IDNO',
	value: 'idno',
	description: 'A 13-digit company identification number: check it without sending a request',
	defaultOperation: 'validate',
	operations: [
		{
			name: 'Validate',
			value: 'validate',
			action: 'Validate IDNO',
			description:
				'Check whether a number is a well-formed IDNO. It sends no request, but n8n asks for a credential.',
			// Sends no request, so it works with any credential.
			routing: {
				operation: {
					endpoints: [],
					fields: {
						idno: 'string',
						valid: 'boolean',
						reason: 'string',
						expectedCheckDigit: 'integer',
					},
					prepare(call) {
						const given = call.parameter('idnoToValidate', '');
						const check = checkIdno(given, { checkDigit: wantsCheckDigit(call.parameter) });
						const { idno, valid, ...wrong } = check;
						const record = { idno, valid, reason: null, expectedCheckDigit: null, ...wrong };
						return { run: async () => ({ records: [record] }) };
					},
				},
			},
		},
	],
	properties: [
		{
			displayName: 'IDNO',
			name: 'idnoToValidate',
			type: 'string',
			default: '',
			required: true,
			placeholder: 'e.g. 1003600015231',
			description: 'The number to check. Labels, spaces, dots and dashes are ignored.',
			displayOptions: showFor('idno', 'validate'),
		},
	],
};
