/** The cases of each resource, from the Link API spec; one line per file. */
export { accountCases } from './account';
export { apiRequestCases } from './apiRequest';
export { campaignCases } from './campaign';
export { channelCases } from './channel';
export { ctaOverlayCases } from './ctaOverlay';
export { domainCases } from './domain';
export { fileCases } from './file';
export { pixelCases } from './pixel';
export { qrCodeCases } from './qrCode';
export { splashPageCases } from './splashPage';
