import { apiRequest as apiRequestTo } from '../../shared/apiRequest';
import { linkManagement } from '../service';

export const apiRequest = apiRequestTo(linkManagement, {
	examplePath: '/api/account',
	purpose: 'also to those that the other operations do not cover, such as short links',
});
