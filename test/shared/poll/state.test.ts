import type { IDataObject } from 'n8n-workflow';

import { idnoOf, listOf, Registry } from '../../CompanyRegistry/events/registryModel';
import { HostileList } from './hostileList';
import { hours, type PollModel } from './pollModel';
import { Watch, watching } from './watch';

/** A published trigger, and a way to make something happen that it should notice. */
interface Published {
	trigger: PollModel;
	happen(): unknown;
}

const CHECK = { checkDigit: false };
const ADDRESS = { baseUrl: 'https://other.example' };

const selecting = (...ids: number[]) => ({
	qrCodes: 'chosen',
	chosenQrCodes: { code: ids.map((id) => ({ qrCodeId: String(id) })) },
});

async function list(event: IDataObject): Promise<Published & { trigger: Watch }> {
	const trigger = await watching({ ...event }, 30, { counter: 5 });
	const counts = ['fileDownloaded', 'qrCodeScanned'].includes(String(event.event));
	const row = trigger.list.rows[2]!;
	return { trigger, happen: () => (counts ? row.count++ : trigger.list.add()) };
}

async function companies(parameters: IDataObject = {}): Promise<Published> {
	const registry = new Registry(4);
	const trigger = registry.watch(registry.idnos.slice(0, 3));
	Object.assign(trigger.setting.parameters, parameters);
	await trigger.publish();
	let times = 0;
	return { trigger, happen: () => registry.set(idnoOf(1), { status: `status ${++times}` }) };
}

async function search(): Promise<Published> {
	const registry = new Registry(4);
	const searchFilters = { q: 'Company' };
	const trigger = registry.trigger({ event: 'companyFound', searchFilters });
	await trigger.publish();
	let added = 10;
	return { trigger, happen: () => registry.add(++added) };
}

const parameters = (changed: IDataObject) => (trigger: PollModel) =>
	Object.assign(trigger.setting.parameters, changed);

const credential = (changed: IDataObject) => (trigger: PollModel) =>
	Object.assign(trigger.setting.credentials, changed);

function otherAccount(watch: Watch): void {
	watch.list.account = { id: 2 };
	anotherKey(watch);
}

/** A trigger whose service doesn't tell the account. */
async function untold(): Promise<Published> {
	const list = new HostileList();
	list.account = {};
	const trigger = new Watch(list, { ...files });
	await trigger.publish();
	return { trigger, happen: () => list.add() };
}

const files = { event: 'fileCreated' };
const scans = { event: 'qrCodeScanned' };
const items = { event: 'channelItemAdded', channelId: '7' };
const selected = () => list({ ...scans, ...selecting(3) });
const anotherKey = credential({ apiKey: 'another' });
const dailyRequests = parameters({ options: { ...CHECK, dailyRequests: 500 } });
const formerOption = parameters({ options: { emitExisting: true } });
const KEPT = 'keeps going';
const OVER = 'starts over';
const TOLD = 'starts over and says so';

type Row = [string, string, () => Promise<Published>, (trigger: never) => unknown];

it.each<Row>([
	['the name filter', KEPT, () => list(files), parameters({ name: 'record' })],
	['the minimum', KEPT, () => list(scans), parameters({ minimumScans: 1 })],
	['the selected codes', KEPT, selected, parameters(selecting(3, 9))],
	['the selected companies', KEPT, companies, parameters(listOf([0, 1, 2, 3].map(idnoOf)))],
	['the watched fields', KEPT, companies, parameters({ otherFieldsToWatch: 'name' })],
	['the daily request budget', KEPT, companies, dailyRequests],
	['the API key, within an account', KEPT, () => list(files), anotherKey],
	['the API key of the registry', KEPT, companies, anotherKey],
	['a field that the trigger had earlier', KEPT, () => list(files), formerOption],
	['"Trigger On"', OVER, () => list(files), parameters({ event: 'qrCodeCreated' })],
	['"Channel"', OVER, () => list(items), parameters({ channelId: '8' })],
	['"Search Filters"', OVER, search, parameters({ searchFilters: { q: 'Comp' } })],
	['the Base URL', TOLD, () => list(files), credential(ADDRESS)],
	['the Base URL of the registry', TOLD, companies, credential(ADDRESS)],
	['the API Variant', TOLD, companies, credential({ variant: 'unversioned' })],
	['the API Variant of a search', TOLD, search, credential({ variant: 'unversioned' })],
	['the API key, if the service doesn’t tell the account', TOLD, untold, anotherKey],
	['the account', TOLD, () => list(files), otherAccount],
])('after a change of %s, the trigger %s', async (...row) => {
	const [, outcome, publish, change] = row;
	const { trigger, happen } = await publish();
	await hours(2, trigger);
	happen();
	change(trigger as never);
	const seen = [...(await trigger.publish()), ...(await hours(2, trigger))];
	expect(seen).toHaveLength(outcome === KEPT ? 1 : 0);
	happen();
	expect(await hours(2, trigger)).toHaveLength(1);
	const other = expect.stringContaining('may be for a different account or service');
	expect(trigger.warnings).toEqual(outcome === TOLD ? [other] : []);
});

it('a copy of a trigger starts as if it were new', async () => {
	const { trigger, happen } = await list(files);
	happen();
	const copy = new Watch(trigger.list, { ...files });
	await copy.publish();
	expect(await hours(1, copy)).toEqual([]);
	happen();
	expect(await hours(1, copy)).toHaveLength(1);
});
