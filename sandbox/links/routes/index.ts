import type { z } from 'zod';
import type { Endpoint } from '../../shared/service';
import type { LinkService } from '../service';
import { addAccountRoutes } from './account';
import { addCampaignRoutes } from './campaigns';
import { addChannelRoutes } from './channels';
import { addDomainRoutes } from './domains';
import { addFileRoutes } from './files';
import { addPixelRoutes } from './pixels';
import { addQrCodeRoutes } from './qrCodes';
import { addReadOnlyRoutes } from './readOnly';

/** Adds one call to the service. */
export type AddEndpoint = <
	P extends z.ZodTypeAny = z.ZodTypeAny,
	Q extends z.ZodTypeAny = z.ZodTypeAny,
	B extends z.ZodTypeAny = z.ZodTypeAny,
>(
	endpoint: Endpoint<P, Q, B>,
) => void;

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
