/** The trigger's events; panel, credentials and polling follow from this list. */
export { companyFound } from './companyFound';
export { companyStatusChanged } from './companyStatusChanged';
export { fileCreated } from './fileCreated';
export { qrCodeScanned } from './qrCodeScanned';
