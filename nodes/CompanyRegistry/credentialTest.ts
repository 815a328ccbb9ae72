import { CompanyRegistryApi } from '../../credentials/CompanyRegistryApi.credentials';
import { credentialTest } from '../shared/node/credentialTest';
import { companyRegistry, variantOf } from './api';

export const testCompanyRegistryKey = credentialTest(companyRegistry, new CompanyRegistryApi(), {
	// The V1 status call doesn't use quota. The Unversioned API has no such call, so search for one company.
	path: (fields) =>
		variantOf(fields) === 'unversioned' ? '/api/search?q=SRL&limit=1' : '/api/v1/status',
	answersWith: 'success',
});
