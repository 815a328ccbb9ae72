import { z } from 'zod';
import { STORED_LISTS } from '../links/settings';
import { ITEM_TYPES } from '../links/records';
import { RATINGS } from '../registry/companies';
import type { Sandbox } from '../sandbox';
import { found } from '../shared/checks';
import { type FaultInput, faultSchema } from '../shared/faults';

/** An operation of the control interface. */
export interface Operation<T extends z.ZodTypeAny = z.ZodTypeAny> {
	/** What it does, with the fields of its body. */
	does: string;
	/** Path parameters, query and body together. */
	input: T;
	run(sandbox: Sandbox, input: z.infer<T>): unknown;
}

function operation<T extends z.ZodTypeAny>(
	does: string,
	input: T,
	run: Operation<T>['run'],
): Operation {
	return { does, input, run: run as Operation['run'] };
}

const id = z.coerce.number().int().min(1);
const times = z.coerce.number().int().min(1).default(1);
const count = z.coerce.number().int().min(0);
const service = z.enum(['links', 'registry.v1', 'registry.unversioned']);
const list = z.enum(STORED_LISTS);
const item = z.object({ channel: id, type: z.enum(ITEM_TYPES), id }).strict();
const nothing = z.object({}).strict();
const limit = (most: number, byDefault: number) =>
	z.coerce.number().int().min(1).max(most).default(byDefault);

/** By method and path. */
export const OPERATIONS: Record<string, Operation> = {
	'POST /control/files': operation(
		'Add a file, as if another user uploaded it: { name, downloads }',
		z
			.object({ name: z.string().min(1), downloads: count })
			.partial()
			.strict(),
		({ links }, fields) => links.control.addFile(fields),
	),
	'POST /control/files/:id/download': operation(
		'Download a file: { times }',
		z.object({ id, times }).strict(),
		({ links }, input) => ({ downloads: links.control.download(input.id, input.times) }),
	),
	'POST /control/qr/reset-scans': operation(
		'Set the scans of all QR codes to 0',
		nothing,
		({ links }) => links.control.resetScans(),
	),
	'POST /control/qr/:id/scan': operation(
		'Scan a QR code: { times }',
		z.object({ id, times }).strict(),
		({ links }, input) => ({ scans: links.control.scan(input.id, input.times) }),
	),
	'POST /control/qr/:id/scans': operation(
		'Set the scans of a QR code: { scans }',
		z.object({ id, scans: count }).strict(),
		({ links }, input) => ({ scans: links.control.setScans(input.id, input.scans) }),
	),
	'POST /control/channels/:channel/items': operation(
		`Put an item into a channel: { type: ${ITEM_TYPES.join(' or ')}, id }`,
		item,
		({ links }, { channel, ...fields }) => links.control.addItem(channel, fields),
	),
	'POST /control/rows/:list': operation(
		`Add a record with the given fields to a list: ${STORED_LISTS.join(', ')}`,
		z.object({ list }).passthrough(),
		({ links }, { list: name, ...fields }) => links.control.addRow(name, fields),
	),
	'DELETE /control/rows/:list/:id': operation(
		'Delete a record of a list',
		z.object({ list, id }).strict(),
		({ links }, input) => links.control.deleteRow(input.list, input.id),
	),
	'GET /control/companies': operation(
		'Find companies: ?q, caen, region, limit',
		z
			.object({ q: z.string(), caen: z.string(), region: z.string() })
			.partial()
			.extend({ limit: limit(1000, 50) })
			.strict(),
		({ registry }, { limit: most, ...query }) => registry.v1.state.search(query).slice(0, most),
	),
	'POST /control/companies/:idno': operation(
		'Change a company: { status, rating, score, limit, insolvencyRisk, paymentTermsDays, ' +
			'advisoryNotes, name }',
		z
			.object({
				status: z.string().min(1),
				rating: z.enum(RATINGS),
				score: count,
				limit: z.coerce.number().min(0),
				insolvencyRisk: z.string(),
				paymentTermsDays: count,
				advisoryNotes: z.string(),
				name: z.string().min(1),
			})
			.partial()
			.extend({ idno: z.string() })
			.strict(),
		({ registry }, { idno, ...change }) => registry.v1.control.update(idno, change),
	),
	'GET /control/requests': operation(
		'Get the newest requests, oldest first: ?service, limit',
		z.object({ service: service.optional(), limit: limit(1000, 100) }).strict(),
		(sandbox, input) =>
			servicesOf(sandbox)
				.filter(({ name }) => input.service === undefined || name === input.service)
				.flatMap(({ requests }) => requests.slice(-input.limit))
				.sort((a, b) => a.at - b.at)
				.slice(-input.limit),
	),
	'DELETE /control/requests': operation('Clear the list of requests', nothing, (sandbox) =>
		servicesOf(sandbox).forEach((each) => each.clearRequests()),
	),
	'GET /control/settings': operation('Get all settings', nothing, settingsOf),
	'POST /control/settings': operation(
		'Change settings: { links: {…}, registry: { v1: {…}, unversioned: {…} } }',
		z
			.object({
				links: z.record(z.unknown()),
				registry: z
					.object({ v1: z.record(z.unknown()), unversioned: z.record(z.unknown()) })
					.partial()
					.strict(),
			})
			.partial()
			.strict(),
		(sandbox, { links = {}, registry: { v1 = {}, unversioned = {} } = {} }) => {
			// Each service checks its own settings.
			sandbox.links.configure(links);
			sandbox.registry.v1.configure(v1);
			sandbox.registry.unversioned.configure(unversioned);
			return settingsOf(sandbox);
		},
	),
	'GET /control/faults': operation(
		'Get the faults that no request has triggered yet',
		nothing,
		(sandbox) =>
			servicesOf(sandbox).flatMap(({ name, pendingFaults }) =>
				pendingFaults.map(({ path, ...fault }) => ({
					...{ service: name, ...fault, path: path && String(path) },
				})),
			),
	),
	'POST /control/faults': operation(
		`Inject a fault: { service, ${Object.keys(faultSchema.shape).join(', ')} }`,
		z.object({ service: service.default('links') }).passthrough(),
		(sandbox, { service: wanted, ...fault }) => {
			const target = servicesOf(sandbox).find(({ name }) => name === wanted);
			// The service checks the fault.
			found(target, `There is no service ${wanted}`).inject(fault as FaultInput);
		},
	),
	'DELETE /control/faults': operation('Remove all faults', nothing, (sandbox) =>
		servicesOf(sandbox).forEach((each) => each.clearFaults()),
	),
	'POST /control/limits/reset': operation(
		'Reset all rate limits and daily quotas',
		nothing,
		(sandbox) => servicesOf(sandbox).forEach((each) => each.resetLimits()),
	),
	'POST /control/reset': operation('Reset all data to the state at startup', nothing, (sandbox) =>
		sandbox.reset(),
	),
};

export function servicesOf({ links, registry }: Sandbox) {
	return [links, registry.v1, registry.unversioned];
}

function settingsOf({ links, registry: { v1, unversioned } }: Sandbox) {
	return {
		links: links.settings,
		registry: { v1: v1.settings, unversioned: unversioned.settings },
	};
}
