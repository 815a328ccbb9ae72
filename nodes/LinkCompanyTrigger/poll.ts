import { DateTime } from 'luxon';
import type { IDataObject, INodeExecutionData, IPollFunctions } from 'n8n-workflow';

import { systemClock } from '../shared/http/clock';
import type { Json } from '../shared/http/envelope';
import { InputError, ServiceError } from '../shared/http/errors';
import { toNodeError } from '../shared/node/nodeError';
import type { PollSettings, PreparedEvent, TriggerEvent } from './event';
import * as events from './events';
import { PageReader } from './pageReader';
import { newestState, noteEvents, noteQuietPoll } from './pollCache';
import { openPollClient } from './pollClient';
import type { PollClient } from './pollClient';
import { PollDeadline } from './pollDeadline';
import { lockPoll } from './pollLock';
import { digestOf } from './digest';
import { readState, sameData, STATE_KEY, writeState } from './state';
import { ownerOf, sameOwner } from './stateOwner';
import type { StateOwner } from './stateOwner';

type Result = INodeExecutionData[][] | null;

/** When a poll failed: what n8n and the trigger do next depends on it. */
type Stage = 'test' | 'first' | 'later';

/** How long a test event may take: a user waits for it. */
const TEST_PATIENCE_MS = 30_000;

/** One poll, or one "Fetch test event". */
export async function pollOnce(this: IPollFunctions): Promise<Result> {
	const event = eventOf(this);
	const stage = stageOf(this);
	try {
		const prepared = event.prepare(settingsOf(this, event));
		if (stage === 'test') return await sample(this, event, prepared);
		return await pollLocked(this, event, prepared);
	} catch (error) {
		throw toNodeError(this.getNode(), explained(event, error, stage));
	}
}

function stageOf(context: IPollFunctions): Stage {
	if (context.getMode() === 'manual') return 'test';
	const stored: unknown = context.getWorkflowStaticData('node')[STATE_KEY];
	return newestState(triggerOf(context), stored) === undefined ? 'first' : 'later';
}

function eventOf(context: IPollFunctions): TriggerEvent {
	const value = context.getNodeParameter('event');
	return (
		Object.values<TriggerEvent>(events).find((event) => event.value === value) ?? events.fileCreated
	);
}

/** Shows a real example and changes nothing. */
async function sample(
	context: IPollFunctions,
	event: TriggerEvent,
	prepared: PreparedEvent<unknown>,
): Promise<Result> {
	const deadline = new PollDeadline(budgetOf(context), TEST_PATIENCE_MS);
	const client = await openPollClient(context, event.service, deadline);
	return itemsOf([await prepared.sample(client)]);
}

async function pollLocked(
	context: IPollFunctions,
	event: TriggerEvent,
	prepared: PreparedEvent<unknown>,
): Promise<Result> {
	const deadline = new PollDeadline(budgetOf(context));
	const release = lockPoll(triggerOf(context), deadline.givenUpAt, systemClock.now());
	// The poll that is still running emits the current events; the next one emits the rest.
	if (!release) return null;
	try {
		return await poll(context, event, prepared, deadline);
	} finally {
		release();
	}
}

async function poll(
	context: IPollFunctions,
	event: TriggerEvent,
	prepared: PreparedEvent<unknown>,
	deadline: PollDeadline,
): Promise<Result> {
	const staticData = context.getWorkflowStaticData('node');
	const before: unknown = staticData[STATE_KEY];
	const trigger = triggerOf(context);
	const client = await openPollClient(context, event.service, deadline);
	const stored = await storedState(context, event, client, newestState(trigger, before));

	const reader = new PageReader(deadline);
	const emitExisting = !stored.damaged && emitsExisting(context);
	const outcome = await prepared.poll(stored.state, {
		client,
		reader,
		emitExisting,
		firstPublication: stored.isNew && isPublishedByUser(context),
		revision: revisionOf(context, client),
	});
	const after = outcome.state && writeState(event.value, stored.owner, outcome.state);
	const unchanged = outcome.state === undefined || sameData(outcome.state, stored.data);
	if (reader.failure) {
		requireProgress(reader.failure, stored.state === undefined, outcome.events, unchanged);
		const { message } = reader.failure;
		warn(context, event, `a poll ended early and the next one continues from there: ${message}`);
	}
	// Another poll stored its state in the meantime and emits these events.
	if (staticData[STATE_KEY] !== before) return null;
	if (after !== undefined && after !== before) staticData[STATE_KEY] = after;
	if (outcome.events.length > 0) {
		noteEvents(trigger);
		return itemsOf(outcome.events);
	}
	if (after !== undefined) noteQuietPoll(trigger, before, after);
	return null;
}

/**
 * A poll that read nothing fails. So does a first one whose reading ended early, since a user sees
 * the error; only after a rate limit do the next polls continue.
 */
function requireProgress(
	failure: ServiceError,
	first: boolean,
	{ length: emitted }: Json[],
	unchanged: boolean,
): void {
	if (emitted > 0) return;
	if (unchanged || (first && failure.failure?.cause !== 'rate-limited')) throw failure;
}

interface OwnState {
	/** What the event remembers; undefined when it starts over. */
	state?: unknown;
	/** The stored form of it. */
	data?: unknown;
	owner: StateOwner;
	/** There was a state, but it cannot be used. */
	damaged: boolean;
	/** The event never stored a state. */
	isNew: boolean;
}

/** The state that belongs to the current event and to the records that the credential shows. */
async function storedState(
	context: IPollFunctions,
	event: TriggerEvent,
	client: PollClient,
	text: unknown,
): Promise<OwnState> {
	const stored = readState(text);
	if (stored === 'damaged' || stored?.event !== event.value) {
		const damaged = stored === 'damaged';
		if (damaged) warnDamaged(context, event);
		return { owner: await ownerOf(event.service, client, undefined), damaged, isNew: !damaged };
	}
	const owner = await ownerOf(event.service, client, stored.owner);
	if (!sameOwner(owner, stored.owner)) {
		if (owner.origin === stored.owner.origin && owner.account === undefined) {
			warn(
				context,
				event,
				'the API key has changed, and the service does not tell whether the account is the same; the trigger starts over',
			);
		}
		return { owner, damaged: false, isNew: false };
	}
	const data = event.state().safeParse(stored.data);
	if (!data.success) {
		warnDamaged(context, event);
		return { owner, damaged: true, isNew: false };
	}
	return { state: data.data, data: stored.data, owner, damaged: false, isNew: false };
}

function warnDamaged(context: IPollFunctions, event: TriggerEvent): void {
	warn(
		context,
		event,
		'the saved state is damaged or from another version; the trigger starts over from the records that exist now',
	);
}

function emitsExisting(context: IPollFunctions): boolean {
	const { emitExisting } = context.getNodeParameter('options', {}) as { emitExisting?: boolean };
	return emitExisting ?? false;
}

/** Not by n8n, which activates workflows when it starts. */
function isPublishedByUser(context: IPollFunctions): boolean {
	return !['init', 'leadershipChange'].includes(context.getActivationMode());
}

function revisionOf(context: IPollFunctions, { apiKey }: PollClient): string {
	const { parameters, credentials } = context.getNode();
	return digestOf([parameters, credentials, apiKey]);
}

function itemsOf(records: Json[]): INodeExecutionData[][] {
	return [records.map((json) => ({ json: json as IDataObject }))];
}

/** Absent before n8n 2.38. */
function budgetOf(context: Partial<Pick<IPollFunctions, 'getPollBudgetMs'>>): number | undefined {
	return context.getPollBudgetMs?.();
}

function triggerOf(context: IPollFunctions): string {
	return JSON.stringify([context.getWorkflow().id, context.getNode().id]);
}

function settingsOf(context: IPollFunctions, event: TriggerEvent): PollSettings {
	return {
		parameter: <T>(name: string, fallback: T) => context.getNodeParameter(name, fallback) as T,
		trigger: triggerOf(context),
		utcOffsetMinutes: DateTime.now().setZone(context.getTimezone()).offset || 0,
		warn: (message) => warn(context, event, message),
		info: (message) => context.logger.info(`${context.getNode().name} (${event.name}): ${message}`),
	};
}

function warn(context: IPollFunctions, event: TriggerEvent, message: string): void {
	context.logger.warn(`${context.getNode().name} (${event.name}): ${message}`);
}

/** Adds to an error which event it hit and what happens next. */
function explained(event: TriggerEvent, error: unknown, stage: Stage): unknown {
	if (!(error instanceof InputError || error instanceof ServiceError)) return error;
	const message = `${event.name}: ${error.message}`;
	const description = [error.description, whatNext(error, stage)].filter(Boolean).join(' ');
	return error instanceof InputError
		? new InputError(message, description)
		: new ServiceError(message, { ...error, description });
}

function whatNext(error: InputError | ServiceError, stage: Stage): string {
	if (stage === 'test') return 'This test changed nothing.';
	if (stage === 'first') {
		return "The trigger isn't running yet. Fix the problem, then publish the workflow again.";
	}
	const cause = error instanceof ServiceError ? error.failure?.cause : 'configuration-invalid';
	const yours = cause === 'credential-invalid' || cause === 'configuration-invalid';
	return yours
		? 'Action required: the trigger polls again at the next poll time, and resumes from its last successful poll when the problem is fixed.'
		: 'The trigger polls again at the next poll time and resumes from its last successful poll. Nothing is lost.';
}
