import { rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { setTimeout as delay } from 'node:timers/promises';
import { join } from 'node:path';
import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { N8nApi, type Execution } from '../../tools/host';
import {
	atSeconds,
	chain,
	companyRegistry,
	dataTable,
	outputOf,
	passOn,
	schedule,
	trigger,
} from '../../tools/stage/workflows';
import { credentialData } from '../../tools/stage/stage';
import {
	OWNER,
	startQueue,
	startStage,
	startWatched,
	startWorker,
	type CredentialReference,
	type Stage,
} from './support/stage';
import { reshaped, Spreadsheet, type Cells } from './support/spreadsheet';

/**
 * Thirty days of a nightly list and two triggers on the same keys, with two restarts, a day of
 * maintenance, an exchanged key, an edit and name look-ups that fail for two hours. A program reshapes what the list stores every evening, and
 * a person works in it. Run it before a release: `npm run test:e2e -- month`.
 */
const DAYS = Number(process.env.E2E_DAYS ?? 30);
/** How long a day takes. It divides a minute, so that each day begins at a full multiple. */
const DAY_SECONDS = 20;
const DAY_MS = 86_400_000;
const SCALE = DAY_MS / (DAY_SECONDS * 1000);

const ROWS = 80;
const WATCHED = 6;
const PER_DAY = 60;
/** What the plan leaves to the list. */
const PER_NIGHT = PER_DAY - WATCHED;
const [RESTARTS, MAINTENANCE, NO_LOOK_UPS, NEW_KEY, EDIT] = [[6, 21], 10, 12, 15, 18];
/**
 * Nights without a check: that of the maintenance, the one in which no name can be looked up, and the one
 * before n8n gets the new key.
 */
const LOST: Array<[day: number, error: RegExp]> = [
	[MAINTENANCE, /HTTP 503/],
	[NO_LOOK_UPS, /couldn't be reached/],
	[NEW_KEY + 1, /didn't accept the API key/],
];
/** After each start of n8n, Enrich doesn't know the triggers' pace, so it leaves them their whole budget. */
const UNSURE = RESTARTS.filter((day) => day <= DAYS).length + 1;
/** The list is mis-mapped from noon of this day until the next. */
const MISMAPPED = 7;
/** From the night when every row has been checked, until all can be checked again. */
const [FIRST_CHANGE, LAST_CHANGE] = [4, DAYS - 4];

/** The nodes and the sandbox see this time. */
const CLOCK = {
	real: Math.floor(Date.now() / 1000 / DAY_SECONDS) * DAY_SECONDS * 1000,
	virtual: Date.UTC(2027, 2, 1),
	scale: SCALE,
	noLookUps: join(tmpdir(), `no-look-ups-${process.pid}`),
};
const clock = () => CLOCK.virtual + (Date.now() - CLOCK.real) * SCALE;
const dayOf = (at: number) => Math.floor((at - CLOCK.virtual) / DAY_MS);
const today = () => dayOf(clock());
const env = {
	NODE_OPTIONS: `--require=${join(__dirname, 'support', 'scaledClock.js')}`,
	SCALED_CLOCK: JSON.stringify(CLOCK),
};

async function untilHour(day: number, hour: number): Promise<void> {
	const at = CLOCK.virtual + day * DAY_MS + (hour / 24) * DAY_MS;
	await delay(Math.max(0, (at - clock()) / SCALE));
}

/** The seconds of every minute at which it's this hour. */
function secondsAt(hour: number): number[] {
	const first = Math.round((hour / 24) * DAY_SECONDS);
	return Array.from({ length: 60 / DAY_SECONDS }, (_, day) => first + day * DAY_SECONDS);
}

/** What the workflow writes back, under the name that the table gives to each column. */
const STORED = {
	'one column': ['registry_state'],
	'several columns': [
		...['match_status', 'match_input', 'registry_idno', 'registry_name', 'registry_status'],
		'registry_checked_at',
	],
};
const renamed = (name: string) => `x_crm_${name}`;

/** Rows whose company doesn't change by itself, by their `ref`. */
const [COPIED, CORRECTED, EMPTIED] = [60, 70, 75];
const COPY = ROWS;
/** The company that the corrected row gets, which isn't in the list before. */
const OTHER = ROWS + 5;
/** What the person does in the list on which evening. */
const PERSON = new Map<number, (rows: Cells[], other: Cells) => void>([
	[4, (rows, other) => Object.assign(row(rows, CORRECTED), other)],
	[5, (rows) => rows.push({ ...row(rows, COPIED), ref: String(COPY) })],
	[7, (rows) => rows.sort((one, two) => one.company_name!.localeCompare(two.company_name!))],
	[8, (rows) => rows.forEach((each) => (each.company_name = each.company_name!.toUpperCase()))],
	[
		9,
		(rows) => {
			for (const column of Object.keys(row(rows, EMPTIED))) {
				if (column.startsWith(renamed(''))) row(rows, EMPTIED)[column] = '';
			}
		},
	],
	[11, (rows) => rows.reverse()],
]);
const row = (rows: Cells[], ref: number) => rows.find((each) => each.ref === String(ref))!;
/** Companies that change because of what the person does, and how many rows have them by then. */
const FURTHER_CHANGES = new Map([
	[7, { place: COPIED, rows: 2 }],
	[8, { place: OTHER, rows: 1 }],
]);

/** Reads the table, looks the rows up, and writes them back. An item with `registry_changed` is an alert. */
function nightly(registry: CredentialReference, table: string, stored: string[], maximum: number) {
	const written = stored.map((name) => [renamed(name), `={{ $json.${name} ?? '' }}`]);
	const options: INodeParameters = maximum > 0 ? { maximumRequests: maximum } : {};
	return chain('Nightly', [
		schedule('Every night', secondsAt(2.5)),
		dataTable('Read', table, { operation: 'get', returnAll: true }),
		companyRegistry('Enrich', registry, { resource: 'company', operation: 'enrich', options }),
		dataTable('Write', table, {
			operation: 'update',
			matchType: 'allConditions',
			filters: { conditions: [{ keyName: 'id', condition: 'eq', keyValue: '={{ $json.id }}' }] },
			columns: {
				mappingMode: 'defineBelow',
				value: Object.fromEntries(written) as Record<string, string>,
				matchingColumns: [],
				schema: stored.map((name) => ({ id: renamed(name), type: 'string', display: true })),
			},
		}),
	]);
}

/** A change of a company's status. */
interface Change {
	idno: string;
	status: string;
}

/** What happens in the services while n8n works. */
class World {
	readonly files: number[] = [];
	readonly changes: Change[] = [];

	constructor(private readonly sandbox: Stage['sandbox']) {}

	addFile(): void {
		this.files.push(this.sandbox.links.control.addFile({ name: `file of day ${today()}` }).id);
	}

	/** Two companies of the list change, and every few days one that the trigger watches. */
	changeCompanies(day: number): void {
		const rows = this.sandbox.registry.v1.state.all().slice(0, ROWS);
		const others = rows.slice(WATCHED);
		const chosen = [2 * day, 2 * day + 1].map((index) => others[index % others.length]!);
		if (day % 3 === 0) chosen.push(rows[(day / 3) % WATCHED]!);
		for (const { idno } of chosen) this.change(idno, day);
		const further = FURTHER_CHANGES.get(day);
		if (further) this.change(this.company(further.place).idno, day, further.rows);
	}

	company(place: number) {
		return this.sandbox.registry.v1.state.all()[place]!;
	}

	/** @param rows how many rows tell the change */
	private change(idno: string, day: number, rows = 1): void {
		const status = `status of day ${day}`;
		this.sandbox.registry.v1.control.update(idno, { status });
		for (let each = 0; each < rows; each++) this.changes.push({ idno, status });
	}

	setMaintenance(isOn: boolean): void {
		for (const service of [this.sandbox.links, this.sandbox.registry.v1]) {
			if (isOn) service.inject({ times: 'always', status: 503 });
			else service.clearFaults();
		}
	}
}

/** The days on which each row was checked, by the output of the nights. */
function checksOf(nights: IDataObject[][]): Map<number, number[]> {
	const days = new Map<number, number[]>();
	const checked = nights.flat().filter(({ registry_changed: changed }) => changed !== null);
	const dates = checked.map(({ ref, registry_checked_at: at }) => {
		return [Number(ref), dayOf(Date.parse(String(at)))] as const;
	});
	for (const [ref, day] of dates.sort(([, one], [, other]) => one - other)) {
		days.set(ref, [...(days.get(ref) ?? []), day]);
	}
	return days;
}

const LIMIT = { limit: 100, windowMs: 60_000, reset: 'epochMs' } as const;

let stage: Stage;
afterEach(async () => {
	await rm(CLOCK.noLookUps, { force: true });
	await stage?.cleanup.run();
});

it.each([
	['in one process, with all in one column', 0, 0, STORED['one column']],
	['in queue mode, with several columns', 1, PER_NIGHT, STORED['several columns']],
])('a month %s', async (_, workers, maximum, stored) => {
	const options = {
		env,
		sandbox: {
			clock,
			links: { rateLimit: LIMIT },
			registry: { v1: { rateLimit: LIMIT, dailyQuota: { limit: PER_DAY } } },
		},
		plans: {
			v1: { plan: 'custom', requestsPerMinute: LIMIT.limit, requestsPerDay: PER_DAY },
			unversioned: { plan: 'premium' },
		},
	};
	const queue = workers > 0 ? await startQueue(workers, options) : undefined;
	stage = queue?.stage ?? (await startStage(options));
	const running = { n8n: stage.n8n, worker: queue?.workers[0], env: queue?.env ?? env };
	const { credentials, host, sandbox, userFolder } = stage;
	const { v1 } = sandbox.registry;
	let { api } = stage;

	/** Enters what the credential has to have, with the host as a name that has to be looked up. */
	const enter = async (
		{ id, name, type }: CredentialReference,
		fields: { baseUrl: string; apiKey: string },
	) => {
		const data = { ...fields, baseUrl: fields.baseUrl.replace('127.0.0.1', 'localhost') };
		await api.patch(`/rest/credentials/${id}`, { name, type, data });
	};
	const { links, registry } = credentialData(sandbox, options.plans);
	await enter(credentials.links, links);
	await enter(credentials.registry, registry);

	const listed = v1.state.all().slice(0, ROWS);
	const watched = listed.slice(0, WATCHED);
	const people = listed.map(({ name, city }, place) => ({
		ref: String(place),
		company_name: name,
		city,
	}));
	const columns = ['ref', 'company_name', 'city', ...stored.map(renamed)];
	const { id: table, path } = await api.createDataTable('Customers', columns, people);
	const spreadsheet = new Spreadsheet(path, columns);
	const list = { watch: 'text', watchListText: watched.map(({ idno }) => idno).join('\n') };
	const workflows = {
		list: nightly(credentials.registry, table, stored, maximum),
		companies: chain('Companies', [
			trigger('companyStatusChanged', credentials.registry, atSeconds(secondsAt(14)), list),
			passOn('Alert'),
		]),
		files: chain('Files', [
			trigger('fileCreated', credentials.links, atSeconds([6, 18].flatMap(secondsAt))),
			passOn('Alert'),
		]),
	};
	let first = today() + 1;
	await untilHour(first, 0);
	for (const workflow of Object.values(workflows)) {
		await api.createWorkflow(workflow);
		await api.publishWorkflow(workflow.id);
	}

	const world = new World(sandbox);
	const newKey = 'a key that replaces the first one';
	for (let day = 1; day <= DAYS; day++) {
		await untilHour(first + day, 0);
		world.setMaintenance(day === MAINTENANCE);
		if (day === NO_LOOK_UPS) await writeFile(CLOCK.noLookUps, '');
		await untilHour(first + day, 9);
		await rm(CLOCK.noLookUps, { force: true });
		world.addFile();
		if (day >= FIRST_CHANGE && day <= LAST_CHANGE) world.changeCompanies(day);
		await untilHour(first + day, 11);
		if (RESTARTS.includes(day)) {
			const port = Number(new URL(running.n8n.url).port);
			await Promise.all([running.n8n.stop(), running.worker?.stop()]);
			const restarted = { host, userFolder, port, env: running.env };
			running.n8n = await startWatched('restarted n8n', restarted);
			const { stop } = running.n8n;
			stage.cleanup.add(stop);
			if (running.worker) running.worker = await startWorker(stage, running.env);
			api = new N8nApi(running.n8n.url);
			await api.logIn(OWNER);
			// On a slow machine, n8n takes longer than a day to start.
			first = Math.max(first, today() - day);
		}
		if (day === MISMAPPED || day === MISMAPPED + 1) {
			await api.editWorkflow(workflows.list.id, (nodes) => {
				const columns = day === MISMAPPED ? 'choose' : 'auto';
				const { parameters } = nodes.find(({ name }) => name === 'Enrich')!;
				Object.assign(parameters, { columns, companyName: 'company_name' });
			});
		}
		if (day === EDIT) {
			await api.editWorkflow(workflows.list.id, (nodes) => {
				nodes.find(({ name }) => name === 'Enrich')!.parameters.minScore = 'exact';
			});
		}
		if (day === NEW_KEY + 1) {
			await enter(credentials.registry, { ...registry, apiKey: newKey });
		}
		await untilHour(first + day, 20);
		world.addFile();
		if (day === NEW_KEY) v1.configure({ apiKey: newKey });
		await untilHour(first + day, 21);
		await spreadsheet.change(api, (rows) => {
			const { name, city } = world.company(OTHER);
			PERSON.get(day)?.(rows, { company_name: name, city });
			const entries = rows.map((each) => Object.entries(each));
			return entries.map((cells, place) =>
				Object.fromEntries(
					cells.map(([column, cell]) => [column, reshaped(column, cell, place + day)]),
				),
			);
		});
	}
	await untilHour(first + DAYS + 2, 12);

	const executionsOf = async ({ id }: { id: string }): Promise<Execution[]> =>
		await Promise.all(
			(await api.executionIds(id, { ended: true })).map(async (each) => await api.execution(each)),
		);
	const nights = await executionsOf(workflows.list);
	const nightsOf = nights.map((night) => outputOf(night, 'Enrich').map(({ json }) => json));
	const checksByRow = checksOf(nightsOf);
	const others = [...checksByRow].filter(([ref]) => ![COPY, CORRECTED, EMPTIED].includes(ref));
	const checks = others.map(([, days]) => days);
	const left = await spreadsheet.read(api);
	const alerts = nightsOf.flat().filter(({ registry_changed }) => registry_changed === true);
	const emitted = async (workflow: { id: string }) =>
		(await executionsOf(workflow)).flatMap((each) =>
			outputOf(each, 'Alert').map(({ json }) => json),
		);
	const [companies, files] = [await emitted(workflows.companies), await emitted(workflows.files)];
	const rejected = v1.requests.filter(({ status }) => status === 429).length;
	const counts = checks.map((days) => days.length);
	const least = Math.min(...counts);
	console.log({
		nights: nights.map(({ status, error }) => error?.message ?? status),
		checks: `${least} to ${Math.max(...counts)} per row`,
		alerts: `${alerts.length} of ${world.changes.length} changes`,
		companies: companies.length,
		files: `${files.length} of ${world.files.length}`,
		requests: v1.requests.length,
		rejected,
	});

	// Every row has been checked as often as the plan allows. n8n may be starting when a night begins.
	const failed = nights.flatMap(({ error }) => error?.message ?? []);
	const expected = LOST.filter(([day]) => day <= DAYS);
	expect(failed).toEqual(expected.map(([, words]) => expect.stringMatching(words) as string));
	const mismapped = MISMAPPED < DAYS ? 1 : 0;
	const perRow = ((nights.length - failed.length - UNSURE - mismapped) * PER_NIGHT) / ROWS;
	expect(checksByRow.size).toBe(ROWS + 1);
	expect(least).toBeGreaterThanOrEqual(Math.floor(perRow) - 2);
	expect(Math.max(...counts) - least).toBeLessThanOrEqual(2);
	const longest = Math.ceil(ROWS / PER_NIGHT) + UNSURE;
	const nightsWithChecks = [...new Set(checks.flat())].sort((one, other) => one - other);
	for (const days of checks) {
		const places = days.map((day) => nightsWithChecks.indexOf(day));
		const gaps = places.slice(1).map((place, index) => place - places[index]!);
		expect(Math.max(0, ...gaps)).toBeLessThanOrEqual(longest);
	}
	// Each row has its company, whatever the program and the person have done, and no cell has been emptied.
	const found = nightsOf.at(-1)!.map(({ ref, registry_idno: idno }) => {
		return [Number(ref), String(idno).replace(/\.0$|\D/g, '')];
	});
	const places = new Map([
		[COPY, COPIED],
		[CORRECTED, OTHER],
	]);
	const meant = [...checksByRow.keys()].map((ref) => {
		return [ref, world.company(places.get(ref) ?? ref).idno];
	});
	expect(Object.fromEntries(found)).toEqual(Object.fromEntries(meant));
	expect(left).toHaveLength(ROWS + 1);
	expect(left.filter((each) => Object.values(each).includes(''))).toEqual([]);
	// Every change has raised one alert, and every change of a watched company one event.
	const told = alerts.map(({ registry_idno: idno, registry_status: status }) => ({ idno, status }));
	expect(sorted(told)).toEqual(sorted(world.changes));
	const isWatched = ({ idno }: Change) => watched.some((company) => company.idno === idno);
	const events = companies.map(({ idno, status }) => ({ idno, status }));
	expect(sorted(events)).toEqual(sorted(world.changes.filter(isWatched)));
	expect(files.map(({ id }) => id).sort()).toEqual([...world.files].sort());
	// Only processes that know nothing of each other spend more than the quota.
	if (workers === 0) expect(rejected).toBe(0);
});

const sorted = (changes: object[]) => changes.map((each) => JSON.stringify(each)).sort();
