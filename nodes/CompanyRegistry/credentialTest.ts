import { CompanyRegistryApi } from '../../credentials/CompanyRegistryApi.credentials';
import { credentialTest } from '../shared/node/credentialTest';
import { companyRegistry, variantOf } from './api';

export const testCompanyRegistryKey = credentialTest(companyRegistry, new CompanyRegistryApi(), {
	// V1 has a call outside the quota; in the other variant, a search for one company is the cheapest.
	path: (fields) =>
		variantOf(fields) === 'unversioned' ? '/api/search?q=SRL&limit=1' : '/api/v1/status',
	answersWith: 'success',
});
