import type { Mask } from '../http/credential';
import type { Account } from '../http/connection';
import type { ServiceError } from '../http/errors';

interface KeyState {
	account: Account;
	/** Why no more requests are sent with the key. */
	error?: ServiceError;
}

/** What a run knows about the API keys that its items use. */
export class Keys {
	private readonly states = new Map<string, KeyState>();

	of(account: Account): KeyState {
		const state = this.states.get(account.identity) ?? { account };
		this.states.set(account.identity, state);
		return state;
	}

	/** Hides all of them in a text. */
	readonly mask: Mask = (value) =>
		[...this.states.values()].reduce((masked, { account }) => account.mask(masked), value);
}
