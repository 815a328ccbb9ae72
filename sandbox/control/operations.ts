import { z } from 'zod';
import { ITEM_TYPES } from '../links/records';
import type { LinkService } from '../links/service';
import { STORED_LISTS } from '../links/settings';
import { RATINGS } from '../registry/companies';
import type { RegistryService } from '../registry/service';

/** Both services on one port, as documented, and a control interface for tests. */
export interface Sandbox {
	/** Root address without a trailing slash. It serves the control page. */
	url: string;
	links: LinkService;
	registry: { v1: RegistryService; unversioned: RegistryService };
	/** Resets everything: settings, data, windows, faults, logs. */
	reset(): void;
	close(): Promise<void>;
}

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

const strict = <T extends z.ZodRawShape>(fields: T) => z.object(fields).strict();
const id = z.coerce.number().int().min(1);
const times = id.default(1);
const count = z.coerce.number().int().min(0);
const text = z.string().min(1);
const list = z.enum(STORED_LISTS);
const limit = (most: number, byDefault: number) => id.max(most).default(byDefault);

const companyChange = z.object({
	...{ status: text, name: text, rating: z.enum(RATINGS), score: count },
	...{ limit: z.coerce.number().min(0), insolvencyRisk: z.string(), paymentTermsDays: count },
	advisoryNotes: z.string(),
});

const newCompany = z.object({ name: text, status: text, caenCode: text, region: text });

/** The operations by method and path. */
export const OPERATIONS: Record<string, Operation> = {
	'POST /control/files': operation(
		'Add a file, as if another user uploaded it: { name, downloads }',
		z.object({ name: text, downloads: count }).partial().strict(),
		({ links }, fields) => links.control.addFile(fields),
	),
	'POST /control/files/:id/download': operation(
		'Download a file: { times }',
		strict({ id, times }),
		({ links }, input) => ({ downloads: links.control.download(input.id, input.times) }),
	),
	'POST /control/qr/reset-scans': operation(
		'Set the scans of all QR codes to 0',
		strict({}),
		({ links }) => links.control.qrs.all().forEach((qr) => (qr.scans = 0)),
	),
	'POST /control/qr/:id/scan': operation(
		'Scan a QR code: { times }',
		strict({ id, times }),
		({ links }, input) => ({ scans: links.control.scan(input.id, input.times) }),
	),
	'POST /control/channels/:channel/items': operation(
		`Put an item into a channel: { type: ${ITEM_TYPES.join(' or ')}, id }`,
		strict({ channel: id, type: z.enum(ITEM_TYPES), id }),
		({ links }, { channel, ...item }) => links.control.addItem(channel, item),
	),
	'POST /control/rows/:list': operation(
		`Add a record with the given fields to a list: ${STORED_LISTS.join(', ')}`,
		z.object({ list }).passthrough(),
		({ links }, { list: name, ...fields }) => links.control.addRow(name, fields),
	),
	'GET /control/companies': operation(
		'Find companies: ?q, limit',
		strict({ q: z.string().optional(), limit: limit(1000, 50) }),
		({ registry }, { q, limit: most }) => registry.v1.state.search({ q }).slice(0, most),
	),
	'POST /control/companies': operation(
		`Add a company: { ${Object.keys(newCompany.shape).join(', ')} }`,
		newCompany.partial().strict(),
		({ registry }, fields) => registry.v1.control.add(fields),
	),
	'POST /control/companies/:idno': operation(
		`Change a company: { ${Object.keys(companyChange.shape).join(', ')} }`,
		companyChange.partial().extend({ idno: z.string() }).strict(),
		({ registry }, { idno, ...change }) => registry.v1.control.update(idno, change),
	),
	'GET /control/requests': operation(
		'Get the newest requests, oldest first: ?limit',
		strict({ limit: limit(1000, 100) }),
		(sandbox, { limit: most }) =>
			servicesOf(sandbox)
				.flatMap(({ requests }) => requests.slice(-most))
				.sort((a, b) => a.at - b.at)
				.slice(-most),
	),
	'POST /control/limits/reset': operation(
		'Reset all rate limits and daily quotas',
		strict({}),
		(sandbox) => servicesOf(sandbox).forEach((each) => each.resetLimits()),
	),
	'POST /control/reset': operation(
		'Reset all data to the state at startup',
		strict({}),
		(sandbox) => sandbox.reset(),
	),
};

export function servicesOf({ links, registry }: Sandbox) {
	return [links, registry.v1, registry.unversioned];
}
