import { keyMask } from '../../../nodes/shared/http/credential';
import { ServiceError } from '../../../nodes/shared/http/errors';
import { Keys } from '../../../nodes/shared/node/keys';

const accountOf = (identity: string) => ({
	baseUrl: 'https://a.example/api',
	settings: {},
	identity,
	mask: keyMask(identity),
});

it('a key isn’t used any more, and the first reason stays, whatever the requests under way say', () => {
	const [account, other] = ['first-key-1234567', 'other-key-1234567'].map(accountOf);
	const keys = new Keys();
	const rejected = new ServiceError('The key was rejected', { kind: 'key' });
	keys.failed(account!, rejected);
	keys.failed(account!, new ServiceError('Too many requests', { kind: 'rateLimit' }));
	expect(() => keys.check(account!)).toThrow(rejected);
	expect(() => keys.check(other!)).not.toThrow();
});
