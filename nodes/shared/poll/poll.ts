import type { IDataObject, INodeExecutionData, IPollFunctions } from 'n8n-workflow';

import type { Json } from '../http/envelope';
import { InputError, ServiceError } from '../http/errors';
import { toNodeError } from '../node/nodeError';
import { readFlag } from '../node/validators';
import type { Parameter, PollOutcome, TriggerEvent, TriggerEvents, Watcher } from './event';
import { Deadline, lockPoll, openSession } from './session';
import type { Session } from './session';
import {
	clockAfter,
	isBeingReplaced,
	isSameOwner,
	newestState,
	noteEmitted,
	processMap,
	readState,
	rememberQuietPoll,
	STATE_KEY,
	writeState,
} from './state';
import type { Owner, TriggerState } from './state';

type Result = INodeExecutionData[][] | null;

/** A user is waiting for the test event. */
const TEST_MS = 30_000;

/** The `poll` method of a trigger node, which n8n also calls for "Fetch test event". */
export function pollOf(service: TriggerEvents) {
	return async function (this: IPollFunctions): Promise<Result> {
		const isTest = this.getMode() === 'manual';
		const trigger = triggerOf(this);
		const stored: unknown = this.getWorkflowStaticData('node')[STATE_KEY];
		const before = readState(newestState(trigger, stored));
		let event: TriggerEvent | undefined;
		try {
			event = eventIn(service, this.getNodeParameter('event'));
			const parameter = parametersOf(this, event);
			const poll: Poll = { context: this, service, event, parameter, trigger, stored, before };
			const watcher = event.watch(parameter);
			return isTest ? await testEvent(poll, watcher) : await lockedPoll(poll, watcher);
		} catch (error) {
			const next = isTest ? undefined : whatNext(error, before === undefined);
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

/** A real example. Nothing is stored. */
async function testEvent(poll: Poll, watcher: Watcher): Promise<Result> {
	const session = await open(poll, new Deadline(budgetOf(poll), TEST_MS), false);
	const { before, event } = poll;
	const isUsable = before !== 'damaged' && before?.event === event.value;
	const data = isUsable ? watcher.state().safeParse(before.data) : undefined;
	return itemsOf(session, [await watcher.sample(session, data?.success ? data.data : undefined)]);
}

async function lockedPoll(poll: Poll, watcher: Watcher): Promise<Result> {
	const deadline = new Deadline(budgetOf(poll));
	const lock = lockPoll(poll.trigger, deadline.givenUpAt);
	// The previous poll is still running. The next one finds what that one misses.
	if (!lock) return null;
	try {
		return await pollOnce(poll, watcher, deadline, lock.isHeld);
	} finally {
		lock.release();
	}
}

async function pollOnce(
	poll: Poll,
	watcher: Watcher,
	deadline: Deadline,
	isCurrent: () => boolean,
): Promise<Result> {
	const { context, event, trigger, stored, before } = poll;
	if (isBeingReplaced(trigger, stored)) return null;
	const known = before === 'damaged' ? undefined : before;

	const session = await open(poll, deadline, before !== 'damaged' && emitsExisting(poll));
	session.clock = clockAfter(known);
	session.polledAt = known?.polledAt;
	const sameEvent = known?.event === event.value ? known : undefined;
	const owner = await ownerOf(poll, session, sameEvent);
	const data = dataFor(watcher, session, sameEvent, owner);
	if (before === 'damaged' || data === 'damaged') {
		session.emitExisting = false;
		session.warn(
			"the saved state is damaged or from another version, so the trigger starts over; changes since the last poll don't start the workflow",
		);
	}

	const outcome = await watcher.poll(data === 'damaged' ? undefined : data, session);
	requireProgress(session, sameEvent, outcome);
	// This poll took longer than n8n waits, so a later one has taken over.
	if (!isCurrent()) return null;
	noteRecorded(poll, outcome);

	const emits = outcome.events.length > 0;
	const after = { event: event.value, owner, data: outcome.state, clock: session.clock, emits };
	const text = writeState(known, after);
	context.getWorkflowStaticData('node')[STATE_KEY] = text;
	if (!emits) {
		rememberQuietPoll(trigger, stored, text);
		return null;
	}
	noteEmitted(trigger, stored);
	return itemsOf(session, outcome.events);
}

async function open(poll: Poll, deadline: Deadline, emitExisting: boolean): Promise<Session> {
	const { context, service, event, trigger } = poll;
	const warn = (message: string) =>
		context.logger.warn(`${context.getNode().name} (${event.name}): ${message}`);
	return await openSession(context, service.service, deadline, { trigger, emitExisting, warn });
}

/**
 * Whose records the credential shows. This takes a request when the key has changed.
 *
 * @throws ServiceError if the service can't tell right now
 */
async function ownerOf(
	{ service }: Poll,
	{ account, send }: Session,
	known: TriggerState | undefined,
): Promise<Owner> {
	const origin = [account.baseUrl, account.settings.variant ?? ''].join(' ').trim();
	if (!service.account) return { origin };
	const owner: Owner = { origin, key: account.identity };
	if (known?.owner.origin === origin && known.owner.key === owner.key) return known.owner;
	return { ...owner, account: await service.account(send) };
}

/** The watcher's part of the state, unless it describes someone else's records. */
function dataFor(
	watcher: Watcher,
	session: Session,
	known: TriggerState | undefined,
	owner: Owner,
): unknown {
	if (!known) return undefined;
	if (!isSameOwner(owner, known.owner)) {
		if (owner.origin === known.owner.origin && owner.account === undefined) {
			session.warn(
				"the API key has changed and the service doesn't say whether it's the same account, so the trigger starts over; changes since the last poll don't start the workflow",
			);
		}
		return undefined;
	}
	const data = watcher.state().safeParse(known.data);
	return data.success ? data.data : 'damaged';
}

/**
 * A poll that read nothing fails. A first poll that ended early fails too, because the user is watching,
 * unless the rate limit was the reason.
 */
function requireProgress(
	session: Session,
	known: TriggerState | undefined,
	{ events }: PollOutcome,
): void {
	const { failure, hasRead } = session;
	if (!failure) return;
	const mayContinue = known !== undefined || failure.failure?.cause === 'rate-limited';
	if (events.length === 0 && !(hasRead && mayContinue)) throw failure;
	session.warn(`a poll ended early and the next one continues from there: ${failure.message}`);
}

/** By trigger: the line that was logged last. */
const logged = processMap<string>();

function noteRecorded({ context, event, trigger }: Poll, { recorded }: PollOutcome): void {
	if (!recorded) return;
	const count = recorded.count.toLocaleString('en');
	const progress = recorded.isComplete
		? `${count} recorded; anything new starts the workflow from now on`
		: `${count} recorded so far; the next poll continues`;
	const line = `${context.getNode().name} (${event.name}): ${progress}`;
	if (logged.get(trigger) !== line) context.logger.info(line);
	logged.set(trigger, line);
}

function emitsExisting({ parameter }: Poll): boolean {
	const { emitExisting } = parameter<{ emitExisting?: unknown }>('options', {});
	return readFlag(emitExisting, false, 'Emit Existing Records');
}

/** Masks the key, which the service may repeat in a record. */
function itemsOf({ account }: Session, records: Json[]): INodeExecutionData[][] {
	return [records.map((record) => ({ json: account.mask(record) as IDataObject }))];
}

/** n8n before 2.38 doesn't say. */
function budgetOf({ context }: Poll): number | undefined {
	return (context as Partial<Pick<IPollFunctions, 'getPollBudgetMs'>>).getPollBudgetMs?.();
}

function triggerOf(context: IPollFunctions): string {
	return JSON.stringify([context.getWorkflow().id, context.getNode().id]);
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

const PASSING = ['temporarily-unavailable', 'rate-limited', 'quota-exhausted'];

function whatNext(error: unknown, first: boolean): string {
	const cause = error instanceof ServiceError ? error.failure?.cause : 'configuration-invalid';
	if (first) {
		return PASSING.includes(cause ?? '')
			? "The trigger isn't running yet. Publish the workflow again when the service is available."
			: "The trigger isn't running yet. Fix the problem, then publish the workflow again.";
	}
	const isYours = cause === 'credential-invalid' || cause === 'configuration-invalid';
	return isYours
		? 'Nothing starts the workflow until you fix this. The next poll after that continues from the last successful one.'
		: 'The next poll tries again and continues from the last successful one.';
}
