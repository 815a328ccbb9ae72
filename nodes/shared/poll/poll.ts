import type { IDataObject, INodeExecutionData, IPollFunctions } from 'n8n-workflow';

import { shown, type Mask } from '../http/credential';
import { systemClock } from '../http/clock';
import { connect, hostOf } from '../http/connection';
import { InputError } from '../http/inputError';
import type { Json } from '../http/json';
import { processMap } from '../http/processMap';
import { toNodeError, withRemedy } from '../node/nodeError';
import { oneOf } from '../node/validators';
import type { Parameter, TriggerEvent, TriggerService, Watcher } from './event';
import { Session } from './session';
import { hasJustEmittedFrom, rememberPoll, resumedState, STATE_KEY } from './state';
import type { TriggerState } from './state';

/** A user is waiting for the sample event. */
const SAMPLE_MS = 30_000;
/** What n8n before 2.38 grants a poll without saying so. */
const USUAL_BUDGET_MS = 5 * 60_000;
/** The rest of the time is for the last response and n8n's own work. */
const USED_SHARE = 0.8;

const NOT_RUNNING = "The trigger isn't running yet. Publish the workflow again once this is fixed.";

interface Poll {
	service: TriggerService;
	/** The value of *Trigger On*. */
	event: string;
	watcher: Watcher;
	session: Session;
	/** n8n's static data. */
	staticData: IDataObject;
}

/** The `poll` method of a trigger node, which n8n also calls for "Fetch Test Event". */
export function pollOf(service: TriggerService) {
	return async function (this: IPollFunctions): Promise<INodeExecutionData[][] | null> {
		const isSample = this.getMode() === 'manual';
		// Unique within the process, unlike the node's ID, which a workflow made of copied JSON can have twice.
		const trigger = JSON.stringify([this.getWorkflow().id, this.getNode().name]);
		const staticData = this.getWorkflowStaticData('node');
		let event: TriggerEvent | undefined;
		let mask: Mask | undefined;
		try {
			const values = oneOf(Object.keys(service.events));
			const value = values(this.getNodeParameter('event'), 'Trigger On');
			event = service.events[value] as TriggerEvent;
			const connection = await connect(hostOf(this), service.service);
			({ mask } = connection.account);
			const parameter = parametersOf(this, event);
			const watcher = event.watch(parameter);
			const budgetMs = (this as Partial<IPollFunctions>).getPollBudgetMs?.() || USUAL_BUDGET_MS;
			const usedMs = Math.min(budgetMs * USED_SHARE, isSample ? SAMPLE_MS : Infinity);
			const source = `${this.getNode().name} (${event.name})`;
			const session = new Session(
				hostOf(this),
				connection,
				systemClock.now() + usedMs,
				trigger,
				(message) => this.logger.warn(`${source}: ${shown(message, connection.account.mask)}`),
			);
			const poll = { service, event: value, watcher, session, staticData };
			const events = isSample
				? [asSample(await watcher.sample(session))]
				: await lockedPoll(poll, budgetMs);
			return events.length > 0 ? [events.map((json) => ({ json: json as IDataObject }))] : null;
		} catch (error) {
			const nodeError = toNodeError(this.getNode(), error, undefined, mask);
			if (event) nodeError.message = `${event.name}: ${nodeError.message}`;
			if (!isSample) tellAll(nodeError, !resumedState(trigger, staticData[STATE_KEY]));
			throw nodeError;
		}
	};
}

/**
 * Puts the advice into the message, which is all that n8n shows if publishing fails. A poll can't tell
 * whether n8n is publishing.
 */
function tellAll(error: Error & { description?: string | null }, isNew: boolean): void {
	error.description = [error.description, isNew && NOT_RUNNING].filter(Boolean).join(' ');
	// n8n gives up a workflow for which it reads this word when it starts.
	error.message = withRemedy(error).replaceAll('Authorization', 'authorization');
	error.description = undefined;
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

/** A real record, recognizable as a sample by its name. */
function asSample(record: Json): Json {
	const field = ['name', 'title'].find((name) => typeof record[name] === 'string');
	return field ? { ...record, [field]: `Sample: ${String(record[field])}` } : record;
}

/** By trigger: when n8n gives up the poll that is running in this process. */
const running = processMap<number>();

/**
 * Runs one poll of a trigger at a time. n8n starts the next poll on schedule even if this one is still
 * running, and both would find the same events. A poll that hangs leaves its events to the next one.
 *
 * @param budgetMs how long n8n waits for the poll
 */
async function lockedPoll(poll: Poll, budgetMs: number): Promise<Json[]> {
	const { trigger } = poll.session;
	const now = systemClock.now();
	if ((running.get(trigger) ?? 0) > now) return [];
	const givenUpAt = now + budgetMs;
	running.set(trigger, givenUpAt);
	const isCurrent = () => running.get(trigger) === givenUpAt;
	try {
		return await pollOnce(poll, isCurrent);
	} finally {
		if (isCurrent()) running.delete(trigger);
	}
}

async function pollOnce(poll: Poll, isCurrent: () => boolean): Promise<Json[]> {
	const { event, watcher, session, staticData } = poll;
	const { trigger } = session;
	const stored = staticData[STATE_KEY];
	const before = resumedState(trigger, stored);
	if (hasJustEmittedFrom(trigger, before)) return [];
	const known = before?.event === event ? before : undefined;
	const owner = await ownerOf(poll, known);
	const read = known && watcher.state().safeParse(known.data);
	const isOthers = known !== undefined && known.owner !== owner.owner;
	const isUnreadable = before ? read?.success === false : stored !== undefined;
	if (isOthers || isUnreadable) {
		const reason = isOthers
			? 'the credential may be for a different account or service'
			: 'the saved state is damaged or from another version';
		session.warn(
			`${reason}, so the trigger starts over; changes since the last poll don't start the workflow`,
		);
	}

	const { state, events } = await watcher.poll(isOthers ? undefined : read?.data, session);
	const { failure, hasRead } = session;
	if (failure && !hasRead && events.length === 0) throw failure;
	if (failure) {
		session.warn(`a poll ended early and the next one continues from there: ${failure.message}`);
	}
	// This poll took longer than n8n waits, so a later one has taken over.
	if (!isCurrent()) return [];

	const after = { event, ...owner, data: state };
	staticData[STATE_KEY] = rememberPoll(trigger, before, after, events.length > 0);
	return events;
}

/**
 * Whose records the credential shows. This takes a request when the key has changed.
 *
 * @throws ServiceError if the service can't tell right now
 */
async function ownerOf(
	{ service, session }: Poll,
	known: TriggerState | undefined,
): Promise<Pick<TriggerState, 'owner' | 'key'>> {
	const { account } = session.connection;
	const origin = service.owner?.(account) ?? account.baseUrl;
	if (!service.account) return { owner: origin };
	const key = account.identity;
	if (known?.key === key) return { owner: known.owner, key };
	const id = await service.account(session);
	return { owner: `${origin} ${id ?? key}`, key };
}
