import type { IExecuteSingleFunctions } from 'n8n-workflow';

import { requestOptionsOf } from '../../../nodes/shared/node/requestOptions';

const optionsOf = (requestOptions: object) =>
	requestOptionsOf({
		getNodeParameter: () => requestOptions,
	} as unknown as IExecuteSingleFunctions);

// Proxy, timeout and batches: test/engine/entryPoints.test.ts.
it.each([
	['checks certificates', {}, undefined],
	['checks certificates if the option is off', { allowUnauthorizedCerts: false }, undefined],
	['accepts any certificate with Ignore SSL Issues', { allowUnauthorizedCerts: true }, true],
	['accepts any certificate if an expression says so', { allowUnauthorizedCerts: 'true' }, true],
])('a request %s', (_, options, skip) => {
	expect(optionsOf(options).skipSslCertificateValidation).toBe(skip);
});
