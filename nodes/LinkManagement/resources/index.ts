// What the operations send and return: docs/maintainers/services.md, "Link Management: requests".

export { account } from './account';
export { customLinkRequest } from './apiRequest';
export { campaign } from './campaign';
export { channel } from './channel';
export { ctaOverlay } from './ctaOverlay';
export { domain } from './domain';
export { file } from './file';
export { pixel } from './pixel';
export { qrCode } from './qrCode';
export { splashPage } from './splashPage';
