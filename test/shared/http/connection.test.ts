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

	it('keeps only a hash of the key, and masks the key as it’s sent', () => {
		const { account } = to(' Bearer key-10011001\n');
		expect(JSON.stringify(account)).not.toContain('10011001');
		expect(account.mask('No key-10011001')).toBe('No ***');
	});

	it('works with a credential that has fields of an earlier version', () => {
		const headers = { values: [{ name: 'X-Token', value: 'token' }] };
		const fields = { baseUrl: 'https://a.example', apiKey: '10011001', headers };
		expect(connectionOf(node, service, fields).limiter).toBe(to('10011001').limiter);
	});
});
