import { z } from 'zod';

import { DAY_MS, systemClock } from '../../shared/http/clock';
import {
	concernsKey,
	isOutOfRequests,
	isRefused,
	ServiceError,
	serviceErrorOf,
} from '../../shared/http/errors';
import { InputError } from '../../shared/http/inputError';
import type { Json } from '../../shared/http/json';
import type { Fields } from '../../shared/node/collection';
import type { Parameter, Watcher } from '../../shared/poll/event';
import type { Session } from '../../shared/poll/session';
import { changeText, isUnchanged } from '../output/changes';
import { allowanceSchema, BudgetError, openAllowance, type Allowance } from './allowance';
import { slowness } from './pace';
import { cellOfValue, CompanyReader, SOURCES, WATCHABLE_CREDIT } from './check';
import type { ShownCompany, Values, Watched } from './check';

/** How many checks have to miss a company before it's gone. */
const ABSENCES = 3;

/** Beyond its usual requests, a check may read a full record, and another company if this one is missing. */
const MOST_MORE = 2;

const companySchema = () =>
	z.object({
		name: z.string().optional(),
		values: z.record(z.string(), z.unknown()),
		/** When the registry stopped showing it, in ms since the epoch, and how many checks missed it. */
		missing: z.object({ since: z.number(), checks: z.number().int() }).optional(),
		/** Its disappearance was an event, or would have been one. */
		gone: z.boolean().optional(),
		/** The budget had no room for all requests of a check, so the next one needs more room. */
		takesMore: z.boolean().optional(),
	});

type Company = z.infer<ReturnType<typeof companySchema>>;

const companiesSchema = () =>
	z.object({
		/** By IDNO, in the order of their last checks. The first is the next to be checked. */
		companies: z
			.array(z.tuple([z.string(), companySchema()]))
			.transform((companies) => new Map<string, Company>(companies)),
		/** Where the status is read. */
		source: z.enum(SOURCES).optional(),
		/** The company that the registry showed last. */
		lastShown: z.object({ idno: z.string() }).optional(),
		allowance: allowanceSchema(),
	});

type CompaniesState = z.infer<ReturnType<typeof companiesSchema>>;

/** A value of *Fields to Watch*, and its name in `changedFields`. */
export const DISAPPEARANCE = 'disappearance';

/** Watches companies, each once per turn. */
export function watchCompanies(
	idnos: readonly string[],
	watched: Watched,
	parameter: Parameter,
): Watcher<CompaniesState> {
	const { fields } = watched;
	return {
		state: companiesSchema,
		async poll(stored, session) {
			const reader = new CompanyReader(session, fields, stored?.source);
			// The first company shows where the status is, usually in the first source.
			const perPoll = idnos.length * reader.requests(reader.source ?? SOURCES[0]);
			const least = reader.requests();
			const allowance = openAllowance(session, parameter, stored?.allowance, perPoll, least);
			const state = stored ?? { companies: new Map() };
			const poll = new CompaniesPoll(watched, reader, state, session, allowance, !stored);
			const slow = slowness(session, parameter, idnos.length, perPoll);
			if (slow) session.warnOnce('pace', slow);
			const events = await poll.run(idnos);
			const { source } = reader;
			const companies = [...state.companies];
			return { state: { ...state, companies, source, allowance: allowance.stored() }, events };
		},
		async sample(session) {
			const [idno = ''] = idnos;
			const reader = new CompanyReader(session, fields);
			const shown = await reader.read(session, idno);
			if (!shown) throw noneFound([idno]);
			const requests = idnos.length * reader.requests();
			const notice = slowness(session, parameter, idnos.length, requests);
			const sample = sampleOf(shown, watched);
			return notice ? { notice, ...sample } : sample;
		},
	};
}

class CompaniesPoll {
	private readonly events: Json[] = [];
	/** Whether the registry shows companies; undefined as long as none has been shown or looked for. */
	private showsAny: boolean | undefined;
	/** The fields that any response has. */
	private readonly returned = new Set<string>();

	constructor(
		private readonly watched: Watched,
		private readonly reader: CompanyReader,
		private readonly state: Pick<CompaniesState, 'companies' | 'lastShown'>,
		private readonly session: Session,
		private readonly allowance: Allowance,
		/** Nothing is known of any company yet. */
		private readonly isFirst: boolean,
	) {}

	/**
	 * Checks companies, those whose last check is longest ago first, until the allowance or the time is used
	 * up.
	 *
	 * A company that can't be read goes to the end like any other, so it doesn't hold up the rest. But if the
	 * registry seems to be down, no company loses its place.
	 *
	 * @returns the events
	 * @throws ServiceError if the first poll found nothing to watch
	 */
	async run(idnos: readonly string[]): Promise<Json[]> {
		const { watched, reader, state, session, allowance, isFirst } = this;
		const added = this.updateList(idnos);
		allowance.grant(isFirst ? Infinity : added * reader.requests());
		let problem: ServiceError | undefined;
		for (const [idno, company] of [...state.companies]) {
			const spare = company.takesMore || company.missing ? MOST_MORE : 0;
			if (!allowance.mayAsk(reader.requests(), spare) || session.isOver()) break;
			const error = await this.check(idno);
			if (!error) continue;
			const { message } = error;
			problem ??= error;
			if (error instanceof BudgetError && !company.takesMore) {
				company.takesMore = true;
				break;
			}
			if (concernsKey(error) || (!session.hasRead && (await this.isRegistryDown(idno, error)))) {
				session.failure = error;
				break;
			}
			session.warnOnce(idno, `the company ${idno} couldn't be read: ${message}`);
			this.moveToEnd(idno);
		}
		if (isFirst && !state.lastShown) {
			throw problem ?? (session.hasRead ? noneFound(idnos) : allowance.exhausted());
		}
		if (isFirst) requireFields(watched, [...state.companies.values()]);
		for (const field of this.showsAny ? watched.fields : []) {
			if (this.returned.has(field)) continue;
			const message = `none of the responses in this poll has the field "${field}", so a change of it would go unnoticed`;
			session.warnOnce(`field ${field}`, message);
		}
		return this.events;
	}

	/** Adds and removes companies so that the state matches the list. @returns how many were added */
	private updateList(idnos: readonly string[]): number {
		const { state } = this;
		const listed = new Set(idnos);
		const added = idnos.filter((idno) => !state.companies.has(idno));
		const kept = [...state.companies].filter(([idno]) => listed.has(idno));
		if (!listed.has(state.lastShown?.idno ?? '')) delete state.lastShown;
		const fresh = added.map((idno): [string, Company] => [idno, { values: {} }]);
		state.companies = new Map([...fresh, ...kept]);
		return added.length;
	}

	/** @returns why the company can't be read */
	private async check(idno: string): Promise<ServiceError | undefined> {
		const { reader, state, session, allowance } = this;
		const { name } = state.companies.get(idno) as Company;
		const shown = await reader.read(allowance, idno, name).catch(serviceErrorOf);
		if (shown instanceof ServiceError) return shown;
		session.hasRead = true;
		const company = this.moveToEnd(idno);
		if (shown) {
			state.lastShown = { idno };
			this.showsAny = true;
			this.noteShown(company, shown);
		} else {
			session.warnOnce(idno, `the registry doesn't have the company ${idno}`);
			await this.noteAbsence(idno, company);
		}
		return undefined;
	}

	/** Whether the registry shows another company. To find out, reads the one shown last, once per poll. */
	private async showsAnother(idno: string): Promise<boolean | undefined> {
		const { companies, lastShown } = this.state;
		const others = [...companies].filter(([other, { gone }]) => other !== idno && !gone);
		if (others.length === 0) return true;
		if (this.showsAny === undefined && lastShown && lastShown.idno !== idno) {
			this.showsAny = false;
			await this.check(lastShown.idno);
		}
		return this.showsAny;
	}

	/**
	 * Reads two other companies to find out whether the registry is down: the one it showed last, and a
	 * random one. If they were always the same, a few unreadable companies could stop all checks forever.
	 */
	private async isRegistryDown(idno: string, error: ServiceError): Promise<boolean> {
		const { lastShown, companies } = this.state;
		// Without a cause, the registry has answered that it can't show this company.
		if (!lastShown && isRefused(error)) return false;
		const all = [...companies.keys()];
		const chosen = all[Math.floor(Math.random() * all.length)] as string;
		for (const other of [lastShown?.idno ?? idno, chosen]) {
			const second = other === idno ? error : await this.check(other);
			if (!second || isOutOfRequests(second)) return false;
		}
		return true;
	}

	/** A company that was checked is the last to be checked again. */
	private moveToEnd(idno: string): Company {
		const { companies } = this.state;
		const company = companies.get(idno) as Company;
		companies.delete(idno);
		companies.set(idno, company);
		return company;
	}

	/**
	 * Updates a company with what the registry shows. A field that's missing from the response keeps its
	 * value, whereas null is a value.
	 */
	private noteShown(company: Company, shown: ShownCompany): void {
		const { watched, state } = this;
		const isBack = watched.disappearance && company.gone === true;
		const before = isBack ? {} : company.values;
		const changed = watched.fields.filter((field) => {
			const [last, now] = [before[field], shown.values[field]];
			return last !== undefined && now !== undefined && !isUnchanged(last, now);
		});
		if (isBack) changed.push(DISAPPEARANCE);
		if (changed.length > 0) this.events.push(eventOf(shown, before, watched, changed));
		for (const field of Object.keys(shown.values)) this.returned.add(field);
		const { name = company.name, idno } = shown;
		const values = { ...company.values, ...shown.values };
		state.companies.set(idno, { name, values, takesMore: company.takesMore });
	}

	/**
	 * Notes that the registry doesn't show a company. It's gone after a day and three checks, because a
	 * single one can be wrong. A check only counts while the registry shows another company.
	 */
	private async noteAbsence(idno: string, company: Company): Promise<void> {
		const { watched } = this;
		// It has never been there, or it's gone already.
		if (company.gone || Object.keys(company.values).length === 0) return;
		const now = systemClock.now();
		const { since, checks: before } = company.missing ?? { since: now, checks: 0 };
		const checks = before + ((await this.showsAnother(idno)) ? 1 : 0);
		// The clock may have been set back.
		company.missing = { since: Math.min(since, now), checks };
		if (now - since < DAY_MS || checks < ABSENCES || checks === before) return;
		company.gone = true;
		if (!watched.disappearance) return;
		const gone = { idno, name: company.name, values: {}, details: null };
		this.events.push(eventOf(gone, company.values, watched, [DISAPPEARANCE]));
	}
}

/** @throws InputError if none of the watched fields is among the values that companies have */
function requireFields({ fields }: Watched, shown: Array<{ values: Values }>): void {
	if (fields.length === 0) return;
	if (shown.some(({ values }) => fields.some((field) => values[field] !== undefined))) return;
	throw new InputError(
		`The registry's responses don't contain these fields: ${fields.join(', ')}`,
		'Change "Fields to Watch" or "Other Fields to Watch". Use the field names from the simplified output of Company: Get.',
	);
}

/** A flat record, so that each column fits on one line in n8n's table. Only `details` has levels. */
function eventOf(
	{ idno, name, values, details }: ShownCompany,
	before: Values,
	{ fields }: Watched,
	changed: string[],
): Json {
	const changes = changed.map((field) => (field === DISAPPEARANCE ? 'status' : field));
	const previous = [...new Set(['status', ...fields])].map((field) => [
		previousName(field),
		cellOfValue(before[field]),
	]);
	const current = Object.entries(values).map(([field, value]) => [field, cellOfValue(value)]);
	return {
		idno,
		name: name ?? null,
		status: cellOfValue(values.status),
		changes: changes.map((field) => changeText(field, before[field], values[field])).join('; '),
		changedFields: changed,
		...Object.fromEntries(previous),
		...Object.fromEntries(current),
		details,
	};
}

/** The fields of an event, for AI builders. */
export const STATUS_EVENT: Fields = {
	idno: 'string',
	name: 'string',
	status: 'string',
	changes: 'string',
	changedFields: ['string'],
	previousStatus: 'string',
	...Object.fromEntries(
		Object.entries(WATCHABLE_CREDIT).map(([field, type]) => [previousName(field), type]),
	),
	...WATCHABLE_CREDIT,
};

/** E.g. `previousInsolvencyRisk`. */
function previousName(field: string): string {
	return `previous${field.replace(/(?:^|_)(\w)/g, (_, letter: string) => letter.toUpperCase())}`;
}

/** A sample event: the company as it is, with a made-up status before. @throws InputError */
function sampleOf(shown: ShownCompany, watched: Watched): Json {
	requireFields(watched, [shown]);
	const { values } = shown;
	const changed = watched.fields.filter((field) => values[field] !== undefined);
	if (!changed.includes('status')) {
		return eventOf(shown, {}, watched, changed.length > 0 ? changed : [DISAPPEARANCE]);
	}
	const before = { ...values, status: values.status === 'active' ? 'suspended' : 'active' };
	return eventOf(shown, before, watched, ['status']);
}

function noneFound([first, ...others]: readonly string[]): ServiceError {
	const rest = others.length > 0 ? ' or any other company checked so far' : '';
	return new ServiceError(`The registry doesn't have the company ${first}${rest}`, {
		description: "Check the IDNO and the credential's API Variant.",
	});
}
