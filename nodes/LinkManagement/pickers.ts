import { createPicker } from '../shared/node/listSearch';
import { campaigns, channels, domains, linkManagement, pixels, qrCodes } from './api';

/** The lists of the "From List" fields. */

export const searchCampaigns = createPicker(linkManagement, campaigns);
export const searchChannels = createPicker(linkManagement, channels);
export const searchDomains = createPicker(linkManagement, domains);
export const searchPixels = createPicker(linkManagement, pixels);
export const searchQrCodes = createPicker(linkManagement, qrCodes);

/** Branded domains by address, because an upload needs the address instead of an ID. */
export const searchDomainAddresses = createPicker(linkManagement, {
	...domains,
	selects: ({ domain }) => domain,
});
