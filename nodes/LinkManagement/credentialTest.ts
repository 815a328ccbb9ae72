import { LinkManagementApi } from '../../credentials/LinkManagementApi.credentials';
import { credentialTest } from '../shared/node/credentialTest';
import { linkManagement } from './api';

export const testLinkManagementKey = credentialTest(linkManagement, new LinkManagementApi(), {
	path: () => '/api/account',
	answersWith: 'data',
});
