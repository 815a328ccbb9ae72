import type { Mask } from '../http/credential';
import type { Account } from '../http/connection';
import { concernsKey, type ServiceError } from '../http/errors';

/** What a run knows about an API key. */
class RunKey {
	/** Why no more requests are sent with the key. */
	private error: ServiceError | undefined;

	constructor(readonly account: Account) {}

	/** @throws ServiceError if the service has rejected the key */
	check(): void {
		if (this.error) throw this.error;
	}

	/** Notes that a request has failed. */
	failed(error: ServiceError): void {
		if (concernsKey(error)) this.error ??= error;
	}
}

/** The API keys that a run's items use. */
export class Keys {
	private readonly keys = new Map<string, RunKey>();

	of(account: Account): RunKey {
		const key = this.keys.get(account.identity) ?? new RunKey(account);
		this.keys.set(account.identity, key);
		return key;
	}

	/** Hides all of them in a text. */
	readonly mask: Mask = (value) =>
		[...this.keys.values()].reduce((masked, { account }) => account.mask(masked), value);
}
