export { channelItemAdded } from './channelItemAdded';
export { fileCreated } from './fileCreated';
export { fileDownloaded } from './fileDownloaded';
export { qrCodeCreated } from './qrCodeCreated';
export { qrCodeScanned } from './qrCodeScanned';
