import { companyRegistry, planOf, PLANS, variantOf } from '../../nodes/CompanyRegistry/service';
import { CompanyRegistryApi } from '../../credentials/CompanyRegistryApi.credentials';

describe('the plans', () => {
	it.each([
		['v1', 'developerFree', 10, 100],
		['v1', 'starterB2b', 30, 1_000],
		['v1', 'businessPro', 100, 10_000],
		['unversioned', 'free', 60, 100],
		['unversioned', 'premium', 60, 5_000],
	])(
		'are those of the document: %s %s has %d per minute, %d per day',
		(variant, plan, perMinute, perDay) => {
			expect(planOf({ variant, plan })).toEqual({ perMinute, perDay });
			expect(companyRegistry.rate({ variant, plan })).toEqual({
				limit: perMinute,
				windowMs: 60_000,
				perDay,
			});
		},
	);

	it.each(['enterprise', 'custom'])('take the credential’s limits for %s', (plan) => {
		const numbers = { requestsPerMinute: 250, requestsPerDay: 150_000 };
		expect(planOf({ variant: 'v1', plan, ...numbers })).toEqual({
			perMinute: 250,
			perDay: 150_000,
		});
	});

	it.each([
		[
			'a plan of the other variant',
			{ variant: 'unversioned', plan: 'businessPro' },
			PLANS.unversioned.free,
		],
		['no plan', { variant: 'v1' }, PLANS.v1.developerFree],
		['an inherited name', { variant: 'v1', plan: 'toString' }, PLANS.v1.developerFree],
		['no numbers', { variant: 'v1', plan: 'custom' }, PLANS.v1.developerFree],
		[
			'numbers that are none',
			{ variant: 'unversioned', plan: 'custom', requestsPerMinute: 0, requestsPerDay: 'many' },
			PLANS.unversioned.free,
		],
	])('are the smallest of the variant for %s', (_case, credentials, plan) => {
		expect(planOf(credentials)).toEqual(plan);
	});

	it('are all offered by the credential, each with its limits in its name', () => {
		for (const variant of ['v1', 'unversioned'] as const) {
			const property = new CompanyRegistryApi().properties.find(
				({ name, displayOptions }) =>
					name === 'plan' && (displayOptions?.show?.variant as string[])?.includes(variant),
			);
			const names = new Map(
				(property?.options as Array<{ name: string; value: string }>).map((option) => [
					option.value,
					option.name,
				]),
			);
			for (const [plan, { perMinute, perDay }] of Object.entries(PLANS[variant])) {
				expect(names.get(plan)).toContain(`(${perMinute} per Minute, ${perDay} per Day)`);
			}
			expect(Object.keys(PLANS[variant])).toContain(property?.default);
		}
	});

	it('are those of V1 if the credential has no variant', () => {
		expect(variantOf({})).toBe('v1');
	});
});
