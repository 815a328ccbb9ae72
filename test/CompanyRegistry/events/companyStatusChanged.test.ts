import type { Variant } from '../../../nodes/CompanyRegistry/api';
import { hours } from '../../shared/poll/pollModel';
import { idnoOf, listOf, Registry, watchingFields } from './registryModel';

it.each<[string, Variant, fields: string[], others: string, message: string]>([
	[
		'a rating',
		'unversioned',
		['status', 'rating'],
		'',
		'you can only watch Status and Disappearance',
	],
	['an address', 'unversioned', [], 'address', 'you can only watch Status and Disappearance'],
	['an unknown field', 'v1', ['ratings'], '', '"Fields to Watch" must be one of status, rating'],
	['nothing', 'v1', [], ' ', 'The parameter "Fields to Watch" is empty'],
])('refuses to watch %s with the %s API before sending a request', async (...row) => {
	const [, variant, fieldsToWatch, otherFieldsToWatch, message] = row;
	const registry = new Registry(1);
	const others = { otherFieldsToWatch, options: { checkDigit: false } };
	const parameters = { ...listOf(registry.idnos), fieldsToWatch, ...others };
	const trigger = registry.trigger(parameters, 1_000_000, 'classic', variant);
	await expect(trigger.publish()).rejects.toThrow(message);
	expect(registry.requests).toEqual([]);
});

it('refuses an IDNO with a wrong check digit unless "Validate Check Digit" is off', async () => {
	const registry = new Registry(1);
	const trigger = registry.trigger(listOf(registry.idnos));
	await expect(trigger.publish()).rejects.toThrow('Line 1 of the watch list is not a valid IDNO');
	trigger.setting.parameters.options = { checkDigit: false };
	await trigger.publish();
	expect(registry.requests).toHaveLength(1);
});

it('watches companies of the Unversioned API by searches', async () => {
	const registry = new Registry(3);
	const parameters = { ...listOf(registry.idnos), options: { checkDigit: false } };
	const trigger = registry.trigger(parameters, 1_000_000, 'classic', 'unversioned');
	const paths = new Set<string>();
	registry.fault = (path) => void paths.add(path);
	await trigger.publish();
	registry.set(idnoOf(0), { status: 'dissolved' });
	expect(await hours(1, trigger)).toMatchObject([{ idno: idnoOf(0), status: 'dissolved' }]);
	registry.companies.delete(idnoOf(1));
	trigger.setting.parameters.fieldsToWatch = ['status', 'disappearance'];
	expect(await hours(26, trigger)).toMatchObject([{ changedFields: ['disappearance'] }]);
	expect(trigger.errors).toEqual([]);
	expect([...paths]).toEqual(['/api/search']);
});

it('returns a sample event with the current values, another status before, and a name that says so', async () => {
	const registry = new Registry(2);
	const trigger = watchingFields(registry, ['status', 'insolvency_risk']);
	registry.set(idnoOf(0), { scoring: { insolvency_risk: 'low' } });
	expect(await trigger.test()).toMatchObject({
		name: 'Sample: Company 0',
		changes: 'status: suspended → active',
		changedFields: ['status'],
		...{ previousInsolvencyRisk: 'low', insolvency_risk: 'low' },
	});
});

it.each([
	['active', ['rating', 'status'], 'status: suspended → active'],
	['suspended', ['status'], 'status: active → suspended'],
	['active', ['rating'], 'rating: none → B'],
	['active', ['disappearance'], 'status: none → active'],
])(
	'the sample event of a company that is %s shows a change of a watched field: %j',
	async (...row) => {
		const [status, watched, changes] = row;
		const registry = new Registry(2);
		registry.set(idnoOf(0), { status, scoring: { rating: 'B' } });
		const changedFields = watched.slice(-1);
		expect(await watchingFields(registry, watched).test()).toMatchObject({
			changes,
			changedFields,
		});
	},
);
