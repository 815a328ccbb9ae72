import { ServiceError } from '../../shared/errors';

/** The record, or the service's failure for an unknown id. */
export function found<T>(record: T | undefined, what: string): T {
	if (record === undefined) throw new ServiceError('notFound', `${what} does not exist`);
	return record;
}
