import type { Account } from '../../../nodes/shared/http/connection';
import { ServiceError } from '../../../nodes/shared/http/errors';
import { Keys } from '../../../nodes/shared/node/keys';

describe('Keys', () => {
	it('gives a key up whose first three items are denied, unless the service has accepted it', () => {
		const account = { identity: 'key' } as Account;
		const denied = new ServiceError('Denied', { kind: 'forbidden' });
		const [keys, accepted] = [new Keys(), new Keys()];
		accepted.of(account).isAccepted = true;
		for (let item = 0; item < 3; item++) {
			expect(keys.of(account).error).toBeUndefined();
			for (const each of [keys, accepted]) each.noteFailure(account, denied);
		}
		expect(keys.of(account).error).toBe(denied);
		expect(accepted.of(account).error).toBeUndefined();
	});
});
