import type { IDataObject, INodeExecutionData, IPollFunctions } from 'n8n-workflow';

import { systemClock } from '../http/clock';
import { connect } from '../http/connection';
import type { Host } from '../http/connection';
import type { Json } from '../http/envelope';
import { InputError, isOutOfRequests, isTemporary, ServiceError } from '../http/errors';
import { toNodeError } from '../node/nodeError';
import { readFlag } from '../node/validators';
import type { Parameter, PollOutcome, TriggerEvent, TriggerEvents, Watcher } from './event';
import { oneAtATime, Session } from './session';
import { hasJustEmittedFrom, rememberPoll, resumedState, STATE_KEY } from './state';
import type { TriggerState } from './state';

type Result = INodeExecutionData[][] | null;

/** A user is waiting for the sample event. */
const SAMPLE_MS = 30_000;
/** What n8n before 2.38 grants a poll without saying so. */
const USUAL_BUDGET_MS = 5 * 60_000;
/** The rest of the time is for the last response and n8n's own work. */
const USED_SHARE = 0.8;

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
			const poll: Poll = { context: this, service, event, parameter, trigger, stored, before };
			const watcher = event.watch(parameter);
			return isSample ? await sampleOf(poll, watcher) : await lockedPoll(poll, watcher);
		} catch (error) {
			const next = isSample ? undefined : whatNext(error, before === undefined);
			throw toNodeError(this.getNode(), explained(event, error, next));
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
			const field = fields.find((each) => each.name === name);
			throw failedExpression(field?.displayName ?? 'Options', error as Error);
		}
	};
}

function failedExpression(label: string, { message }: Error): InputError {
	return new InputError(
		`The expression in "${label}" failed: ${message}`,
		"A trigger has no input, so its expressions can't use $json or other nodes.",
	);
}

interface Poll {
	context: IPollFunctions;
	service: TriggerEvents;
	event: TriggerEvent;
	parameter: Parameter;
	/** Unique within the process. */
	trigger: string;
	/** What n8n has stored. */
	stored: unknown;
	/** The state to resume from. */
	before: TriggerState | 'damaged' | undefined;
}

/** A real record, recognizable as a sample by its name. Nothing is stored. */
async function sampleOf(poll: Poll, watcher: Watcher): Promise<Result> {
	const { now, used } = timeOf(poll);
	const session = await open(poll, now + Math.min(used, SAMPLE_MS), false);
	const sample = await watcher.sample(session);
	const field = ['name', 'title'].find((name) => typeof sample[name] === 'string');
	return itemsOf([field ? { ...sample, [field]: `Sample: ${String(sample[field])}` } : sample]);
}

async function lockedPoll(poll: Poll, watcher: Watcher): Promise<Result> {
	const { now, granted, used } = timeOf(poll);
	return await oneAtATime(poll.trigger, now + granted, async (isCurrent) => {
		if (hasJustEmittedFrom(poll.trigger, poll.stored)) return null;
		const emitExisting = poll.before !== 'damaged' && emitsExisting(poll);
		const session = await open(poll, now + used, emitExisting);
		return await pollOnce(poll, watcher, session, isCurrent);
	});
}

/** How long n8n waits for the poll, and how much of that it uses. n8n before 2.38 doesn't say. */
function timeOf({ context }: Poll): { now: number; granted: number; used: number } {
	const given = (context as Partial<IPollFunctions>).getPollBudgetMs?.() ?? 0;
	const granted = given > 0 ? given : USUAL_BUDGET_MS;
	return { now: systemClock.now(), granted, used: granted * USED_SHARE };
}

async function open(poll: Poll, endsAt: number, emitExisting: boolean): Promise<Session> {
	const { context, service, event, trigger } = poll;
	const warn = (message: string) =>
		context.logger.warn(`${context.getNode().name} (${event.name}): ${message}`);
	const host = context as unknown as Host;
	const connection = await connect(host, service.service);
	return new Session(host, connection, endsAt, trigger, emitExisting, warn);
}

async function pollOnce(
	poll: Poll,
	watcher: Watcher,
	session: Session,
	isCurrent: () => boolean,
): Promise<Result> {
	const { context, event, trigger, stored, before } = poll;
	const known = before !== 'damaged' && before?.event === event.value ? before : undefined;
	const owner = await ownerOf(poll, session, known);
	const data = dataFor(watcher, session, known, owner);
	if (before === 'damaged' || data === 'damaged') {
		session.emitExisting = false;
		session.warn(`the saved state is damaged or from another version, ${STARTS_OVER}`);
	}

	const outcome = await watcher.poll(data === 'damaged' ? undefined : data, session);
	requireProgress(session, known, outcome);
	// This poll took longer than n8n waits, so a later one has taken over.
	if (!isCurrent()) return null;
	noteRecorded(poll, outcome);

	const { state, events } = outcome;
	const chain = before === 'damaged' ? undefined : before?.chain;
	const after = { event: event.value, ...owner, chain, data: state };
	const text = rememberPoll(trigger, stored, after, events.length > 0);
	context.getWorkflowStaticData('node')[STATE_KEY] = text;
	return events.length > 0 ? itemsOf(events) : null;
}

const STARTS_OVER =
	"so the trigger starts over; changes since the last poll don't start the workflow";

type Owner = Pick<TriggerState, 'owner' | 'key'>;

/**
 * Whose records the credential shows. This takes a request when the key has changed.
 *
 * @throws ServiceError if the service can't tell right now
 */
async function ownerOf(
	{ service }: Poll,
	session: Session,
	known: TriggerState | undefined,
): Promise<Owner> {
	const { baseUrl, settings, identity: key } = session.account;
	const origin = `${baseUrl} ${String(settings.variant ?? '')}`.trim();
	if (!service.account) return { owner: origin };
	if (known?.key === key) return { owner: known.owner, key };
	const account = await service.account(async (request) => await session.send(request));
	return { owner: `${origin} ${account ?? key}`, key };
}

/** The watcher's part of the state, unless it describes someone else's records. */
function dataFor(
	watcher: Watcher,
	session: Session,
	known: TriggerState | undefined,
	{ owner }: Owner,
): unknown {
	if (!known) return undefined;
	if (known.owner !== owner) {
		session.warn(`the credential is for another account or service, ${STARTS_OVER}`);
		return undefined;
	}
	const data = watcher.state().safeParse(known.data);
	return data.success ? data.data : 'damaged';
}

/**
 * A poll that read nothing fails. A first poll that ended early fails as well, because the user is
 * watching, unless the rate limit was the reason.
 */
function requireProgress(
	session: Session,
	known: TriggerState | undefined,
	{ events }: PollOutcome,
): void {
	const { failure, hasRead } = session;
	if (!failure) return;
	const mayContinue = known !== undefined || isOutOfRequests(failure);
	if (events.length === 0 && !(hasRead && mayContinue)) throw failure;
	session.warn(`a poll ended early and the next one continues from there: ${failure.message}`);
}

function noteRecorded({ context, event }: Poll, { recorded }: PollOutcome): void {
	if (!recorded) return;
	const count = recorded.count.toLocaleString('en');
	const progress = recorded.isComplete
		? `${count} recorded; anything new starts the workflow from now on`
		: `${count} recorded so far; the next poll continues`;
	context.logger.info(`${context.getNode().name} (${event.name}): ${progress}`);
}

function emitsExisting({ parameter }: Poll): boolean {
	const { emitExisting } = parameter<{ emitExisting?: unknown }>('options', {});
	return readFlag(emitExisting, false, 'Emit Existing Records');
}

function itemsOf(records: Json[]): INodeExecutionData[][] {
	return [records.map((record) => ({ json: record as IDataObject }))];
}

/** An error that names the event and says what happens next. */
function explained(event: TriggerEvent | undefined, error: unknown, next?: string): unknown {
	if (!(error instanceof InputError || error instanceof ServiceError)) return error;
	const message = event ? `${event.name}: ${error.message}` : error.message;
	const description = [error.description, next].filter(Boolean).join(' ');
	return error instanceof InputError
		? new InputError(message, description)
		: new ServiceError(message, { ...error, description });
}

function whatNext(error: unknown, isFirst: boolean): string {
	if (isFirst) {
		return isTemporary(error)
			? "The trigger isn't running yet. Publish the workflow again when the service is available."
			: "The trigger isn't running yet. Fix the problem, then publish the workflow again.";
	}
	const cause = error instanceof ServiceError ? error.failure?.cause : 'configuration-invalid';
	const isYours = cause === 'credential-invalid' || cause === 'configuration-invalid';
	return isYours
		? 'Nothing starts the workflow until you fix this. The next poll after that continues from the last successful one.'
		: 'The next poll tries again and continues from the last successful one.';
}
