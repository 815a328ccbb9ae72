export { companyFound } from './companyFound';
export { companyStatusChanged } from './companyStatusChanged';
