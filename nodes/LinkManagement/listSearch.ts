import { searchList } from '../shared/node/listSearch';
import { campaigns, channels, domains, pixels, qrCodes } from './collections';
import { linkManagement } from './service';

/** The pickers behind the "From List" fields. */

export const searchCampaigns = searchList(linkManagement, campaigns);
export const searchChannels = searchList(linkManagement, channels);
export const searchDomains = searchList(linkManagement, domains);
export const searchPixels = searchList(linkManagement, pixels);
export const searchQrCodes = searchList(linkManagement, qrCodes);
