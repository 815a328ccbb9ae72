import type { INode } from 'n8n-workflow';
import { readExamples } from '../../tools/start/examples';
import { startPostgres, type Postgres } from './support/postgres';
import { referenceOf } from './support/workflows';
import { startStage, type CredentialReference, type Stage } from './support/stage';
import { until } from './support/until';

const EXAMPLE = 'companies-to-crm';
const TABLE = `
	CREATE TABLE customers (
		idno text PRIMARY KEY,
		name text,
		status text,
		rating text,
		recommended_limit_mdl numeric,
		updated_at timestamptz
	)`;

interface Customer {
	idno: string;
	name: string;
	status: string;
	rating: string;
}

let stage: Stage;
let crm: Postgres;

beforeAll(async () => {
	stage = await startStage();
	crm = await startPostgres();
	stage.cleanup.add(async () => await crm.stop());
	await crm.execute(TABLE);
});

afterAll(async () => await stage?.cleanup.run());

it('carries a company’s new status from the registry into the CRM’s table', async () => {
	const { registry } = stage.sandbox;
	const [company] = registry.v1.state.all();
	if (!company) throw new Error('The sandbox has no companies');
	await crm.execute(
		`INSERT INTO customers (idno, name, status) VALUES ('${company.idno}', 'Old name', 'active')`,
	);
	await publishExample();

	registry.v1.control.update(company.idno, { status: 'in_liquidation', rating: 'F' });

	const row = await until(
		'the row to change',
		async () => {
			const [customer] = await crm.select<Customer>(
				`SELECT * FROM customers WHERE idno = '${company.idno}'`,
			);
			return customer?.status === 'in_liquidation' && customer;
		},
		150_000,
	);
	expect(row).toMatchObject({ name: company.name, rating: 'F' });
	expect(await crm.select('SELECT idno FROM customers')).toHaveLength(1);
});

/** Imports the example as a user does, with credentials of this stage, and publishes it. */
async function publishExample(): Promise<void> {
	const { api, credentials } = stage;
	const { workflow } = (await readExamples()).find(({ name }) => name === EXAMPLE) ?? {};
	if (!workflow) throw new Error(`There is no example ${EXAMPLE}`);
	const postgres = {
		type: 'postgres',
		name: 'CRM',
		id: await api.createCredential('CRM', 'postgres', {
			host: '127.0.0.1',
			port: crm.port,
			database: crm.database,
			user: crm.user,
			password: '',
			ssl: 'disable',
			sshTunnel: false,
		}),
	};
	const nodes = workflow.nodes.map((node) => {
		if (node.type === 'n8n-nodes-base.postgres') return withCredential(node, postgres);
		const polled = node.type.endsWith('Trigger') ? withPollTimes(node) : node;
		return node.credentials ? withCredential(polled, credentials.registry) : node;
	});
	await api.publishWorkflow(await api.createWorkflow({ ...workflow, nodes }));
}

function withCredential(node: INode, credential: CredentialReference): INode {
	return { ...node, credentials: { [credential.type]: referenceOf(credential) } };
}

/** A test cannot wait for the example's hour. */
function withPollTimes(node: INode): INode {
	const pollTimes = { item: [{ mode: 'everyMinute' }] };
	return { ...node, parameters: { ...node.parameters, pollTimes } };
}
