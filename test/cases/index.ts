import * as companyRegistry from './companyRegistry';
import * as linkManagement from './linkManagement';

export type { Exchange, OperationCase } from './operationCase';

export const companyRegistryCases = Object.values(companyRegistry).flat();
export const linkManagementCases = Object.values(linkManagement).flat();

export const CASES = {
	linkManagement: linkManagementCases,
	companyRegistry: companyRegistryCases,
};

export type NodeName = keyof typeof CASES;
