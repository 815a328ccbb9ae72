/** Every endpoint of the Link API spec; one line per file. */
export { addAccountRoutes } from './account';
export { addCampaignRoutes } from './campaigns';
export { addChannelRoutes } from './channels';
export { addDomainRoutes } from './domains';
export { addFileRoutes } from './files';
export { addPixelRoutes } from './pixels';
export { addQrCodeRoutes } from './qrCodes';
export { addReadOnlyRoutes } from './readOnly';
