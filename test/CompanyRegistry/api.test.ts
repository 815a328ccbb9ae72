import type { INodePropertyOptions } from 'n8n-workflow';

import { companyRegistry, planOf, PLANS, variantOf } from '../../nodes/CompanyRegistry/api';
import { CompanyRegistryApi } from '../../credentials/CompanyRegistryApi.credentials';

describe('Company Registry plans', () => {
	const limits = { requestsPerMinute: 250, requestsPerDay: 150_000 };
	const none = { requestsPerMinute: 0, requestsPerDay: 'many' };

	it.each([
		[{ variant: 'v1', plan: 'developerFree' }, 10, 100],
		[{ variant: 'v1', plan: 'starterB2b' }, 30, 1_000],
		[{ variant: 'v1', plan: 'businessPro' }, 100, 10_000],
		[{ variant: 'unversioned', plan: 'free' }, 60, 100],
		[{ variant: 'unversioned', plan: 'premium' }, 60, 5_000],
		[{ variant: 'v1', plan: 'enterprise', ...limits }, 250, 150_000],
		[{ variant: 'v1', plan: 'custom', ...limits }, 250, 150_000],
		// Without a valid plan or valid numbers, the smallest plan applies.
		[{ variant: 'unversioned', plan: 'businessPro' }, 60, 100],
		[{ variant: 'v1' }, 10, 100],
		[{ variant: 'v1', plan: 'custom' }, 10, 100],
		[{ variant: 'unversioned', plan: 'custom', ...none }, 60, 100],
	])('gives a credential with %j a limit of %d requests per minute and %d per day', (...row) => {
		const [credential, perMinute, perDay] = row;
		expect(planOf(credential)).toEqual({ perMinute, perDay });
		expect(companyRegistry.rate(credential)).toEqual({
			limit: perMinute,
			windowMs: 60_000,
			perDay,
		});
	});

	const properties = new CompanyRegistryApi().properties.filter(({ name }) => name === 'plan');

	it.each(['v1', 'unversioned'] as const)('lists the plans of %s with their limits', (variant) => {
		const { options = [], default: preset } = properties.find(({ displayOptions }) =>
			(displayOptions?.show?.variant as string[]).includes(variant),
		)!;
		const names = (options as INodePropertyOptions[]).map(({ name, value }) => `${value}: ${name}`);
		for (const [plan, { perMinute, perDay }] of Object.entries(PLANS[variant])) {
			const limits = `(${perMinute} per Minute, ${perDay} per Day)`;
			expect(names.find((name) => name.startsWith(`${plan}: `))).toContain(limits);
		}
		expect(Object.keys(PLANS[variant])).toContain(preset);
	});

	it('uses V1 for a credential without a variant', () => {
		expect(variantOf({})).toBe('v1');
	});
});
