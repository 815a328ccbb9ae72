import type { AddEndpoint, Exchange } from '../../shared/endpoint';
import type { Rows } from '../lists';
import type { ListQuery } from '../schemas';
import type { LinkSettings, ListName } from '../settings';
import type { LinkState } from '../state';

/** The service, as far as its routes use it. */
export interface RoutedService {
	readonly state: LinkState;
	readonly settings: LinkSettings;
	answerList<T>(list: ListName, rows: Rows<T>, query: ListQuery, exchange: Exchange): unknown;
}

/** Adds the routes of one resource. */
export type AddRoutes = (service: RoutedService, add: AddEndpoint) => void;
