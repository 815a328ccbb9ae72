import type { IDataObject, INodeExecutionData, IPollFunctions } from 'n8n-workflow';

import { systemClock } from '../http/clock';
import { connect } from '../http/connection';
import type { Host } from '../http/connection';
import type { Json } from '../http/envelope';
import { InputError, isOutOfRequests, ServiceError } from '../http/errors';
import { toNodeError } from '../node/nodeError';
import { readFlag } from '../node/validators';
import type { Parameter, TriggerEvent, TriggerEvents, Watcher } from './event';
import { Session } from './session';
import { hasJustEmittedFrom, rememberPoll, resumedState, STATE_KEY } from './state';
import type { TriggerState } from './state';

type Result = INodeExecutionData[][] | null;

/** A user is waiting for the sample event. */
const SAMPLE_MS = 30_000;
/** What n8n before 2.38 grants a poll without saying so. */
const USUAL_BUDGET_MS = 5 * 60_000;
/** The rest of the time is for the last response and n8n's own work. */
const USED_SHARE = 0.8;

interface Poll {
	context: IPollFunctions;
	service: TriggerEvents;
	event: TriggerEvent;
	parameter: Parameter;
	watcher: Watcher;
	/** Unique within the process. */
	trigger: string;
	/** What n8n has stored. */
	stored: unknown;
	/** The state to resume from. */
	before: TriggerState | 'damaged' | undefined;
}

/** The `poll` method of a trigger node, which n8n also calls for "Fetch Test Event". */
export function pollOf(service: TriggerEvents) {
	return async function (this: IPollFunctions): Promise<Result> {
		const isSample = this.getMode() === 'manual';
		const trigger = JSON.stringify([this.getWorkflow().id, this.getNode().id]);
		const stored: unknown = this.getWorkflowStaticData('node')[STATE_KEY];
		const before = resumedState(trigger, stored);
		let event: TriggerEvent | undefined;
		try {
			event = eventIn(service, this.getNodeParameter('event'));
			const parameter = parametersOf(this, event);
			const watcher = event.watch(parameter);
			const poll = { context: this, service, event, parameter, watcher, trigger, stored, before };
			return isSample ? await sampleOf(poll) : await lockedPoll(poll);
		} catch (error) {
			const next = before
				? 'The next poll tries again and continues from the last successful one.'
				: "The trigger isn't running yet. Publish the workflow again when this is solved.";
			throw toNodeError(this.getNode(), explained(event, error, isSample ? '' : next));
		}
	};
}

/** @throws InputError for the event of another node, or one that a later version has */
function eventIn({ events }: TriggerEvents, value: unknown): TriggerEvent {
	const event = Object.values(events).find((one) => one.value === value);
	if (event) return event;
	throw new InputError(
		`The parameter "Trigger On" has the unknown value "${String(value)}"`,
		'Select an event in "Trigger On".',
	);
}

function parametersOf(context: IPollFunctions, { fields }: TriggerEvent): Parameter {
	return <T>(name: string, fallback: T) => {
		try {
			return context.getNodeParameter(name, fallback) as T;
		} catch (error) {
			const label = fields.find((each) => each.name === name)?.displayName ?? 'Options';
			throw failedExpression(label, error as Error);
		}
	};
}

function failedExpression(label: string, { message }: Error): InputError {
	return new InputError(
		`The expression in "${label}" failed: ${message}`,
		"A trigger has no input, so its expressions can't use $json or other nodes.",
	);
}

/** An error that names the event and says what happens next. */
function explained(event: TriggerEvent | undefined, error: unknown, next: string): unknown {
	if (!(error instanceof InputError || error instanceof ServiceError)) return error;
	const message = event ? `${event.name}: ${error.message}` : error.message;
	const description = [error.description, next].filter(Boolean).join(' ');
	return error instanceof InputError
		? new InputError(message, description)
		: new ServiceError(message, { ...error, description });
}

/** A real record, recognizable as a sample by its name. Nothing is stored. */
async function sampleOf(poll: Poll): Promise<Result> {
	const endsAt = systemClock.now() + Math.min(budgetOf(poll) * USED_SHARE, SAMPLE_MS);
	const sample = await poll.watcher.sample(await open(poll, endsAt, false));
	const field = ['name', 'title'].find((name) => typeof sample[name] === 'string');
	return itemsOf([field ? { ...sample, [field]: `Sample: ${String(sample[field])}` } : sample]);
}

/** By trigger: when n8n gives up the poll that is running in this process. */
const running = new Map<string, number>();

/**
 * Runs one poll of a trigger at a time. n8n starts the next poll on schedule even if this one is still
 * running, and both would find the same events. A poll that hangs leaves its events to the next one.
 */
async function lockedPoll(poll: Poll): Promise<Result> {
	const { trigger, stored, before, parameter } = poll;
	const now = systemClock.now();
	if ((running.get(trigger) ?? 0) > now || hasJustEmittedFrom(trigger, stored)) return null;
	const givenUpAt = now + budgetOf(poll);
	running.set(trigger, givenUpAt);
	const isCurrent = () => running.get(trigger) === givenUpAt;
	try {
		const { emitExisting } = parameter<Json>('options', {});
		const isWanted = readFlag(emitExisting, false, 'Emit Existing Records');
		const endsAt = now + budgetOf(poll) * USED_SHARE;
		const session = await open(poll, endsAt, isWanted && before !== 'damaged');
		return await pollOnce(poll, session, isCurrent);
	} finally {
		if (isCurrent()) running.delete(trigger);
	}
}

/** How long n8n waits for the poll. n8n before 2.38 doesn't say. */
function budgetOf({ context }: Poll): number {
	const given = (context as Partial<IPollFunctions>).getPollBudgetMs?.() ?? 0;
	return given > 0 ? given : USUAL_BUDGET_MS;
}

async function open(poll: Poll, endsAt: number, emitExisting: boolean): Promise<Session> {
	const { context, service, event, trigger } = poll;
	const warn = (message: string) =>
		context.logger.warn(`${context.getNode().name} (${event.name}): ${message}`);
	const host = context as unknown as Host;
	const connection = await connect(host, service.service);
	return new Session(host, connection, endsAt, trigger, emitExisting, warn);
}

const STARTS_OVER =
	"so the trigger starts over; changes since the last poll don't start the workflow";

async function pollOnce(poll: Poll, session: Session, isCurrent: () => boolean): Promise<Result> {
	const { context, event, watcher, trigger, stored, before } = poll;
	const known = before !== 'damaged' && before?.event === event.value ? before : undefined;
	const owner = await ownerOf(poll, session, known);
	const isOthers = known !== undefined && known.owner !== owner.owner;
	if (isOthers) session.warn(`the credential is for another account or service, ${STARTS_OVER}`);
	const data = known && !isOthers ? watcher.state().safeParse(known.data) : undefined;
	if (before === 'damaged' || data?.success === false) {
		session.emitExisting = false;
		session.warn(`the saved state is damaged or from another version, ${STARTS_OVER}`);
	}

	const { state, events } = await watcher.poll(data?.success ? data.data : undefined, session);
	requireProgress(session, known !== undefined, events.length > 0);
	// This poll took longer than n8n waits, so a later one has taken over.
	if (!isCurrent()) return null;

	const chain = before === 'damaged' ? undefined : before?.chain;
	const after = { event: event.value, ...owner, chain, data: state };
	const text = rememberPoll(trigger, stored, after, events.length > 0);
	context.getWorkflowStaticData('node')[STATE_KEY] = text;
	return events.length > 0 ? itemsOf(events) : null;
}

/**
 * Whose records the credential shows. This takes a request when the key has changed.
 *
 * @throws ServiceError if the service can't tell right now
 */
async function ownerOf(
	{ service }: Poll,
	session: Session,
	known: TriggerState | undefined,
): Promise<Pick<TriggerState, 'owner' | 'key'>> {
	const { baseUrl, settings, identity: key } = session.account;
	const origin = `${baseUrl} ${String(settings.variant ?? '')}`.trim();
	if (!service.account) return { owner: origin };
	if (known?.key === key) return { owner: known.owner, key };
	const account = await service.account(async (request) => await session.send(request));
	return { owner: `${origin} ${account ?? key}`, key };
}

/**
 * A poll that read nothing fails. A first poll that ended early fails as well, because the user is
 * watching, unless the rate limit was the reason.
 */
function requireProgress(session: Session, isKnown: boolean, emits: boolean): void {
	const { failure, hasRead } = session;
	if (!failure) return;
	if (!emits && !(hasRead && (isKnown || isOutOfRequests(failure)))) throw failure;
	session.warn(`a poll ended early and the next one continues from there: ${failure.message}`);
}

function itemsOf(records: Json[]): INodeExecutionData[][] {
	return [records.map((record) => ({ json: record as IDataObject }))];
}
