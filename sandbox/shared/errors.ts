/** Why a service does not do what it is asked to; each service has its own shape for telling. */
export type FailureKind =
	'badRequest' | 'unauthorized' | 'notFound' | 'tooLarge' | 'rateLimited' | 'quotaExhausted';

/** A refusal that the service tells its client in its own words and shape. */
export class ServiceError extends Error {
	constructor(
		readonly kind: FailureKind,
		message: string,
	) {
		super(message);
		this.name = 'ServiceError';
	}
}
