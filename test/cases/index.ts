import { companyRegistryCases } from './companyRegistry';
import { linkManagementCases } from './linkManagement';

export type { Exchange, OperationCase } from './operationCase';
export { companyRegistryCases } from './companyRegistry';
export { linkManagementCases } from './linkManagement';

/** The cases of each node. */
export const CASES = {
	linkManagement: linkManagementCases,
	companyRegistry: companyRegistryCases,
};

export type NodeName = keyof typeof CASES;
