import type { Mask } from '../http/credential';
import type { Account } from '../http/connection';
import { isBareDenial, type ServiceError } from '../http/errors';

/** A key whose first requests are all denied without a reason is probably wrong. */
const MAX_DENIALS = 3;

interface KeyState {
	account: Account;
	/** Whether a request with the key has succeeded. */
	isAccepted: boolean;
	/** Items that have failed because a request was denied. */
	denials: number;
	/** Why no more requests are sent with the key. */
	error?: ServiceError;
}

/** What a run knows about the API keys that its items use. */
export class Keys {
	private readonly states = new Map<string, KeyState>();

	of(account: Account): KeyState {
		const known = this.states.get(account.identity);
		const state = known ?? { account, isAccepted: false, denials: 0 };
		this.states.set(account.identity, state);
		return state;
	}

	/** Notes why an item failed. A key that was denied from the start isn't used any more. */
	noteFailure(account: Account, error: unknown): void {
		const key = this.of(account);
		if (!isBareDenial(error) || key.isAccepted) return;
		if (++key.denials >= MAX_DENIALS) key.error ??= error;
	}

	/** Hides all of them in a text. */
	readonly mask: Mask = (value) =>
		[...this.states.values()].reduce((masked, { account }) => account.mask(masked), value);
}
