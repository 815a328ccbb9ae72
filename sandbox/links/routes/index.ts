import type { AddEndpoint } from '../../shared/endpoint';
import type { LinkService } from '../service';
import { addAccountRoutes } from './account';
import { addCampaignRoutes } from './campaigns';
import { addChannelRoutes } from './channels';
import { addDomainRoutes } from './domains';
import { addFileRoutes } from './files';
import { addPixelRoutes } from './pixels';
import { addQrCodeRoutes } from './qrCodes';
import { addReadOnlyRoutes } from './readOnly';

export type AddRoutes = (service: LinkService, add: AddEndpoint) => void;

/** Adds every call of the document's "Endpoints". */
export const addRoutes: AddRoutes = (service, add) => {
	addAccountRoutes(service, add);
	addDomainRoutes(service, add);
	addReadOnlyRoutes(service, add);
	addCampaignRoutes(service, add);
	addChannelRoutes(service, add);
	addFileRoutes(service, add);
	addPixelRoutes(service, add);
	addQrCodeRoutes(service, add);
};
