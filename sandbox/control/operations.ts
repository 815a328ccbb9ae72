import { z } from 'zod';
import type { Sandbox } from '..';
import { LIST_NAMES } from '../links/settings';
import { RATINGS } from '../registry/companies';
import { ServiceError } from '../shared/errors';
import { type FaultInput, faultSchema } from '../shared/faults';

/** An operation of the control interface. Its input is JSON, or text from a form. */
export interface Operation<T extends z.ZodTypeAny = z.ZodTypeAny> {
	method: 'get' | 'post' | 'delete';
	/** Path parameters become part of the input. */
	path: string;
	/** Description for the index page. */
	does: string;
	/** Path parameters, query and body together. */
	input: T;
	run(sandbox: Sandbox, input: z.infer<T>): unknown;
}

/** Keeps the input's type between `input` and `run`. */
function operation<T extends z.ZodTypeAny>(definition: Operation<T>): Operation {
	return definition as unknown as Operation;
}

const id = z.coerce.number().int().min(1);
const times = z.coerce.number().int().min(1).default(1);
const count = z.coerce.number().int().min(0);
const serviceName = z.enum(['links', 'registry.v1', 'registry.unversioned']);
const list = z.enum(LIST_NAMES).exclude(['items']);
const nothing = z.object({}).strict();

const MAX_LOG_ENTRIES_SHOWN = 1000;

/** All operations of the control interface, which the index page lists. */
export const OPERATIONS: Operation[] = [
	operation({
		method: 'post',
		path: '/control/files',
		does: 'Add a file, as if another user uploaded it: { name, downloads }',
		input: z
			.object({ name: z.string().min(1), downloads: count })
			.partial()
			.strict(),
		run: ({ links }, fields) => links.control.addFile(fields),
	}),
	operation({
		method: 'delete',
		path: '/control/files/:id',
		does: 'Delete a file',
		input: z.object({ id }).strict(),
		run: ({ links }, input) => links.control.deleteFile(input.id),
	}),
	operation({
		method: 'post',
		path: '/control/files/:id/download',
		does: 'Download a file: { times }',
		input: z.object({ id, times }).strict(),
		run: ({ links }, input) => ({ downloads: links.control.download(input.id, input.times) }),
	}),
	operation({
		method: 'post',
		path: '/control/qr',
		does: 'Add a QR code: { name, link, scans }',
		input: z.object({ name: z.string(), link: z.string(), scans: count }).partial().strict(),
		run: ({ links }, fields) => links.control.addQr(fields),
	}),
	operation({
		method: 'post',
		path: '/control/qr/reset-scans',
		does: 'Set the scans of all QR codes to 0',
		input: nothing,
		run: ({ links }) => links.control.resetScans(),
	}),
	operation({
		method: 'delete',
		path: '/control/qr/:id',
		does: 'Delete a QR code',
		input: z.object({ id }).strict(),
		run: ({ links }, input) => links.control.deleteQr(input.id),
	}),
	operation({
		method: 'post',
		path: '/control/qr/:id/scan',
		does: 'Scan a QR code: { times }',
		input: z.object({ id, times }).strict(),
		run: ({ links }, input) => ({ scans: links.control.scan(input.id, input.times) }),
	}),
	operation({
		method: 'post',
		path: '/control/qr/:id/scans',
		does: 'Set the scans of a QR code: { scans }',
		input: z.object({ id, scans: count }).strict(),
		run: ({ links }, input) => ({ scans: links.control.setScans(input.id, input.scans) }),
	}),
	operation({
		method: 'post',
		path: '/control/rows/:list',
		does: `Add a record with the given fields to a list: ${list.options.join(', ')}`,
		input: z.object({ list }).passthrough(),
		run: ({ links }, { list: name, ...fields }) => links.control.addRow(name, fields),
	}),
	operation({
		method: 'delete',
		path: '/control/rows/:list/:id',
		does: 'Delete a record of a list',
		input: z.object({ list, id }).strict(),
		run: ({ links }, input) => links.control.deleteRow(input.list, input.id),
	}),
	operation({
		method: 'get',
		path: '/control/companies',
		does: 'Find companies: ?q, caen, region, limit',
		input: z
			.object({
				q: z.string().optional(),
				caen: z.string().optional(),
				region: z.string().optional(),
				limit: z.coerce.number().int().min(1).default(50),
			})
			.strict(),
		run: ({ registry }, { limit, ...query }) => registry.v1.state.search(query).slice(0, limit),
	}),
	operation({
		method: 'post',
		path: '/control/companies/:idno',
		does:
			'Change a company: { status, rating, score, limit, insolvencyRisk, ' +
			'paymentTermsDays, advisoryNotes, name }',
		input: z
			.object({
				idno: z.string(),
				status: z.string().min(1).optional(),
				rating: z.enum(RATINGS).optional(),
				score: count.optional(),
				limit: z.coerce.number().min(0).optional(),
				insolvencyRisk: z.string().optional(),
				paymentTermsDays: count.optional(),
				advisoryNotes: z.string().optional(),
				name: z.string().min(1).optional(),
			})
			.strict(),
		run: ({ registry }, { idno, ...change }) => registry.v1.control.update(idno, change),
	}),
	operation({
		method: 'get',
		path: '/control/requests',
		does: 'Get the newest requests: ?service, limit',
		input: z
			.object({
				service: serviceName.optional(),
				limit: z.coerce.number().int().min(1).max(MAX_LOG_ENTRIES_SHOWN).default(100),
			})
			.strict(),
		run: (sandbox, input) => newestRequests(sandbox, input.limit, input.service),
	}),
	operation({
		method: 'delete',
		path: '/control/requests',
		does: 'Clear the list of requests',
		input: nothing,
		run: (sandbox) => servicesOf(sandbox).forEach((service) => service.clearRequests()),
	}),
	operation({
		method: 'get',
		path: '/control/settings',
		does: 'Get all settings',
		input: nothing,
		run: (sandbox) => settingsOf(sandbox),
	}),
	operation({
		method: 'post',
		path: '/control/settings',
		does: 'Change settings: { links: {…}, registry: { v1: {…}, unversioned: {…} } }',
		input: z
			.object({
				links: z.record(z.unknown()),
				registry: z
					.object({ v1: z.record(z.unknown()), unversioned: z.record(z.unknown()) })
					.partial()
					.strict(),
			})
			.partial()
			.strict(),
		run: (sandbox, { links, registry }) => {
			// Each service checks its own settings.
			if (links) sandbox.links.configure(links);
			if (registry?.v1) sandbox.registry.v1.configure(registry.v1);
			if (registry?.unversioned) sandbox.registry.unversioned.configure(registry.unversioned);
			return settingsOf(sandbox);
		},
	}),
	operation({
		method: 'get',
		path: '/control/faults',
		does: 'Get the faults that no request has triggered yet',
		input: nothing,
		run: (sandbox) =>
			servicesOf(sandbox).flatMap(({ name, pendingFaults }) =>
				pendingFaults.map((fault) => ({
					service: name,
					...fault,
					...(fault.path instanceof RegExp && { path: String(fault.path) }),
				})),
			),
	}),
	operation({
		method: 'post',
		path: '/control/faults',
		does: `Inject a fault: { service, ${Object.keys(faultSchema.shape).join(', ')} }`,
		input: z.object({ service: serviceName.default('links') }).passthrough(),
		run: (sandbox, { service, ...fault }) => {
			// The service checks the fault.
			serviceOf(sandbox, service).inject(fault as FaultInput);
		},
	}),
	operation({
		method: 'delete',
		path: '/control/faults',
		does: 'Remove all faults',
		input: nothing,
		run: (sandbox) => servicesOf(sandbox).forEach((service) => service.clearFaults()),
	}),
	operation({
		method: 'post',
		path: '/control/limits/reset',
		does: 'Reset all rate limits and daily quotas',
		input: nothing,
		run: (sandbox) => servicesOf(sandbox).forEach((service) => service.resetLimits()),
	}),
	operation({
		method: 'post',
		path: '/control/reset',
		does: 'Reset all data to the state at startup',
		input: nothing,
		run: (sandbox) => sandbox.reset(),
	}),
];

export function servicesOf({ links, registry }: Sandbox) {
	return [links, registry.v1, registry.unversioned];
}

function serviceOf(sandbox: Sandbox, name: z.infer<typeof serviceName>) {
	const service = servicesOf(sandbox).find((candidate) => candidate.name === name);
	if (!service) throw new ServiceError('notFound', `There is no service ${name}`);
	return service;
}

function settingsOf({ links, registry }: Sandbox) {
	return {
		links: links.settings,
		registry: { v1: registry.v1.settings, unversioned: registry.unversioned.settings },
	};
}

/** The newest requests of one service or all, oldest first. */
export function newestRequests(sandbox: Sandbox, limit: number, service?: string) {
	return servicesOf(sandbox)
		.filter(({ name }) => service === undefined || name === service)
		.flatMap(({ requests }) => requests.slice(-limit))
		.sort((a, b) => a.at - b.at)
		.slice(-limit);
}
