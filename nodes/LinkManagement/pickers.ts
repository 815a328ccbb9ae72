import { createPicker } from '../shared/node/listSearch';
import { campaigns, channels, domains, linkManagement, pixels, qrCodes } from './api';

export const searchCampaigns = createPicker(linkManagement, campaigns);
export const searchChannels = createPicker(linkManagement, channels);
export const searchDomains = createPicker(linkManagement, domains);
export const searchPixels = createPicker(linkManagement, pixels);
export const searchQrCodes = createPicker(linkManagement, qrCodes);

/** Selects a domain's address, because an upload takes the address instead of an ID. */
export const searchDomainAddresses = createPicker(linkManagement, domains, ({ domain }) => domain);
