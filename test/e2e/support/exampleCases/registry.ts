import type { IDataObject } from 'n8n-workflow';
import type { ExampleCase, ExampleScene } from '../exampleScene';
import { outputsOf } from '../exampleScene';

export const enrichCrmRows: ExampleCase = async (scene) => {
	const { state, requests } = scene.stage.sandbox.registry.v1;

	const outputs = await scene.importAndRun('enrich-crm-rows');

	const rows = outputs('Rows for the CRM');
	expect(rows.map(({ customer }) => customer)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12]);
	const [first, second, third, , , sixth, , eighth, , , eleventh, twelfth] = rows;
	const winery = state.get('1000600900002');
	expect(first).toMatchObject({ company: winery?.name, rating: winery?.rating });
	expect(second?.company).toBe(state.get('1001600900009')?.name);
	expect(third?.company).toBe(state.get('1002600900006')?.name);
	expect(sixth?.company).toBe(winery?.name);
	expect(eighth).toMatchObject({ found: false, company: '' });
	expect(eleventh).toMatchObject({
		found: false,
		reason: expect.stringContaining('2 companies') as unknown,
	});
	expect(twelfth?.company).toBe(state.get('1019600900006')?.name);
	const credits = requests.filter(({ path }) => path.startsWith('/api/v1/credit/'));
	const companies = new Set(rows.filter(({ found }) => found).map(({ company }) => company));
	expect(credits).toHaveLength(companies.size);
};

/** One customer per case that the nightly enrichment tells apart. */
const CUSTOMERS = {
	upToDate: 1,
	changed: 2,
	withoutIdno: 3,
	unknown: 4,
	unknownIdno: 5,
};

export const nightlyPostgres: ExampleCase = async (scene) => {
	const customers = customersIn(scene);
	await scene.createTable('nightly-postgres');
	for (const { id, name, idno, status, rating } of customers) {
		const values = [name, idno, status, rating].map((value) => (value ? `'${value}'` : 'NULL'));
		await scene.crm.execute(
			`INSERT INTO customers (id, name, idno, status, rating) VALUES (${id}, ${values.join()})`,
		);
	}

	await scene.importAndRun('nightly-postgres');

	const rows = async () =>
		await scene.crm.select<IDataObject>(
			'SELECT id, name, idno, status, rating, checked_at IS NOT NULL AS written FROM customers ORDER BY id',
		);
	const expected = expectedAfter(scene, customers);
	const isWritten = ({ id }: Customer) => id === CUSTOMERS.changed || id === CUSTOMERS.withoutIdno;
	expect(await rows()).toEqual(
		expected.map((customer) => ({ ...customer, written: isWritten(customer) })),
	);

	// The next night nothing has changed any more.
	expect(outputsOf(await scene.run('nightly-postgres'))('Update the customers')).toEqual([]);
};

export const nightlyHubSpot: ExampleCase = async (scene) => {
	const { companies, updated } = scene.standIns.hubSpot;
	const customers = customersIn(scene);
	for (const { id, ...customer } of customers) {
		const { name, idno, status: registry_status, rating: registry_rating } = customer;
		const filled = Object.entries({ name, idno, registry_status, registry_rating }).flatMap(
			([property, value]) => (value === null ? [] : [[property, { value }] as const]),
		);
		companies.push({ companyId: id, properties: Object.fromEntries(filled) });
	}

	await scene.importAndRun('nightly-hubspot');

	const shown = companies.map(({ companyId, properties }) => ({
		id: companyId,
		name: properties.name?.value ?? null,
		idno: properties.idno?.value ?? null,
		status: properties.registry_status?.value ?? null,
		rating: properties.registry_rating?.value ?? null,
	}));
	expect(shown).toEqual(expectedAfter(scene, customers));
	expect(updated).toEqual([CUSTOMERS.changed, CUSTOMERS.withoutIdno]);
	const middle = (name: string) =>
		scene
			.example(name)
			.nodes.filter((node) =>
				['Look up the companies', 'New values', 'Only what changed'].includes(node.name),
			)
			.map(({ name: node, type, typeVersion, parameters }) => {
				// Ids of fields differ from workflow to workflow, as n8n gives them.
				const text = JSON.stringify(parameters).replaceAll(/"id":"[^"]{36}",?/g, '');
				return { node, type, typeVersion, parameters: JSON.parse(text) as unknown };
			});
	expect(middle('nightly-hubspot')).toHaveLength(3);
	expect(middle('nightly-hubspot')).toEqual(middle('nightly-postgres'));
};

interface Customer {
	id: number;
	name: string | null;
	idno: string | null;
	status: string | null;
	rating: string | null;
}

function customersIn({ stage }: ExampleScene): Customer[] {
	const { state } = stage.sandbox.registry.v1;
	const [current, changing, nameless] = state.all();
	if (!current || !changing || !nameless) throw new Error('The sandbox has no companies');
	const { idno, name, status, rating } = current;
	state.update(changing.idno, { status: 'in_liquidation', rating: 'F' });
	return [
		{ id: CUSTOMERS.upToDate, name, idno, status, rating },
		{ id: CUSTOMERS.changed, name: null, idno: changing.idno, status: 'active', rating: 'D' },
		{
			id: CUSTOMERS.withoutIdno,
			name: nameless.name,
			idno: null,
			status: null,
			rating: null,
		},
		{ id: CUSTOMERS.unknown, name: 'Nobody of the Kind', idno: null, status: 'lead', rating: null },
		{ id: CUSTOMERS.unknownIdno, name: null, idno: '1003600015231', status: null, rating: null },
	];
}

function expectedAfter({ stage }: ExampleScene, customers: Customer[]): Customer[] {
	const { state } = stage.sandbox.registry.v1;
	const [, , nameless] = state.all();
	return customers.map((customer) => {
		if (customer.id === CUSTOMERS.changed) {
			return { ...customer, status: 'in_liquidation', rating: 'F' };
		}
		if (customer.id !== CUSTOMERS.withoutIdno || !nameless) return customer;
		const { idno, status, rating } = nameless;
		return { ...customer, idno, status, rating };
	});
}

/** What the example keeps back, and what its four companies cost. */
const KEPT_BACK = 20;
const NEEDED = 8;

export const quotaGuard: ExampleCase = async (scene) => {
	const { v1 } = scene.stage.sandbox.registry;
	const lookUps = () => v1.requests.filter(({ path }) => path !== '/api/v1/status').length;
	v1.configure({ dailyQuota: { limit: KEPT_BACK + NEEDED } });

	const found = (await scene.importAndRun('quota-guard'))('Look up the companies');
	expect(found.map(({ company_name }) => company_name)).toEqual(
		found.map(({ idno }) => v1.state.get(String(idno))?.name),
	);
	expect(found).toHaveLength(4);
	expect(lookUps()).toBe(NEEDED);

	const stopped = await scene.run('quota-guard');
	expect(stopped.status).toBe('error');
	expect(stopped.error?.message).toBe(
		'Too little of the daily quota is left: 20 requests, of which 20 are to be kept back, ' +
			'and 8 are needed. Nothing was looked up.',
	);

	// A status without the expected number must not let everything pass.
	v1.configure({ dailyQuota: { limit: null } });
	const blind = await scene.run('quota-guard');
	expect(blind.status).toBe('error');
	expect(blind.error?.message).toContain('has no number of remaining requests');
	expect(lookUps()).toBe(NEEDED);
};
