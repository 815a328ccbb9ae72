import { connectionOf } from '../../../nodes/shared/http/connection';
import { node, service } from './scriptedHost';

describe('connectionOf', () => {
	const to = (apiKey: string | number, baseUrl = 'https://a.example', credential = 'testApi') =>
		connectionOf(node, { ...service, credential }, { baseUrl, apiKey });

	it('shares a limiter per service, Base URL and key, however they’re spelled', () => {
		const { limiter } = to('10011001');
		for (const same of [to(10011001), to(' Bearer 10011001\n', ' https://A.example/api/ ')]) {
			expect(same.limiter).toBe(limiter);
		}
		const others = [
			to('2'),
			to('10011001', 'https://b.example'),
			to('10011001', undefined, 'other'),
		];
		expect(new Set([limiter, ...others.map((other) => other.limiter)]).size).toBe(4);
	});

	it('shares a limiter, but no responses, with a credential that adds other headers', () => {
		const fields = { baseUrl: 'https://a.example', apiKey: 'key-10011001' };
		const values = [{ name: 'X-Token', value: 'token-10011001' }];
		const plain = connectionOf(node, service, fields);
		const { limiter, account } = connectionOf(node, service, { ...fields, headers: { values } });
		expect(limiter).toBe(plain.limiter);
		expect(account.identity).not.toBe(plain.account.identity);
		expect(account.mask('token-10011001 key-10011001')).toBe('*** ***');
		// It has only hashes of them.
		expect(JSON.stringify(account)).not.toContain('10011001');
	});
});
