import { CompanyRegistryApi } from '../../credentials/CompanyRegistryApi.credentials';
import { planOf } from '../../nodes/CompanyRegistry/service';
import type { Variant } from '../../nodes/CompanyRegistry/service';

/** docs/services.md, "Company Registry: limits". */
const PLANS: Array<[Variant, plan: string, name: string, perDay: number, perMinute: number]> = [
	['v1', 'developerFree', 'Developer Free', 100, 10],
	['v1', 'starterB2b', 'Starter B2B', 1000, 30],
	['v1', 'businessPro', 'Business Pro', 10000, 100],
	['unversioned', 'free', 'Free', 100, 60],
	['unversioned', 'premium', 'Premium', 5000, 60],
];

test.each(PLANS)(
	'the plan %s %s is %s: %d per day, %d per minute',
	(variant, plan, name, perDay, perMinute) => {
		expect(planOf({ variant, plan })).toEqual({ perMinute, perDay });
		const field = new CompanyRegistryApi().properties.find(
			(property) =>
				property.name === 'plan' && property.displayOptions?.show?.variant?.includes(variant),
		);
		expect(field?.options).toContainEqual(
			expect.objectContaining({
				value: plan,
				name: expect.stringMatching(new RegExp(`^${name} `)) as string,
			}),
		);
	},
);
