import type { Mask } from '../http/credential';
import type { Account } from '../http/connection';
import { concernsKey, type ServiceError } from '../http/errors';

/** The API keys that a run's items use. */
export class Keys {
	private readonly accounts = new Map<string, Account>();
	/** Why no more requests are sent with a key. */
	private readonly failures = new Map<string, ServiceError>();

	/** @throws ServiceError if the service has rejected the account's key */
	check(account: Account): void {
		this.accounts.set(account.identity, account);
		const failure = this.failures.get(account.identity);
		if (failure) throw failure;
	}

	failed({ identity }: Account, error: ServiceError): void {
		if (concernsKey(error) && !this.failures.has(identity)) this.failures.set(identity, error);
	}

	/** Hides all of them in a text. */
	readonly mask: Mask = (value) =>
		[...this.accounts.values()].reduce((masked, { mask }) => mask(masked), value);
}
