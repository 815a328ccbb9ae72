/** The cases of the Link Management node, one file per resource. */
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
