import { DateTime } from 'luxon';
import type { IDataObject, INodeExecutionData, IPollFunctions } from 'n8n-workflow';

import { systemClock } from '../shared/http/clock';
import { InputError, ServiceError } from '../shared/http/errors';
import { openAccess } from './pollClient';
import { Deadline } from './deadline';
import { companyStatusChanged } from './events/companyEvent';
import type { Prepared, Surroundings, TriggerEvent } from './events/event';
import { fileCreated } from './events/fileEvent';
import { qrCodeScanned } from './events/qrCodeEvent';
import { Reading } from './events/reading';
import { newestState, noteEvents, noteQuietPoll } from './pollCache';
import { fingerprintOf, readState, STATE_KEY, writeState } from './state';
import type { Stored } from './state';
import { takeTurn } from './pollLock';
import { toNodeError } from '../shared/node/nodeError';

const EVENTS: Record<string, TriggerEvent> = { fileCreated, qrCodeScanned, companyStatusChanged };

type Result = INodeExecutionData[][] | null;

/** When a poll failed: what n8n and the trigger do next depends on it. */
type Stage = 'test' | 'first' | 'later';

/** One poll, or one "Fetch test event". */
export async function pollOnce(this: IPollFunctions): Promise<Result> {
	const event = EVENTS[String(this.getNodeParameter('event'))] ?? fileCreated;
	const test = this.getMode() === 'manual';
	const polledBefore = this.getWorkflowStaticData('node')[STATE_KEY] !== undefined;
	try {
		const prepared = event.prepare(surroundingsOf(this, event));
		if (test) return await sample(this, event, prepared);
		return await poll(this, event, prepared, !polledBefore);
	} catch (error) {
		const stage: Stage = test ? 'test' : polledBefore ? 'later' : 'first';
		throw toNodeError(this.getNode(), explained(event, error, stage));
	}
}

/** Shows a real example and leaves everything as it is. */
async function sample(
	context: IPollFunctions,
	event: TriggerEvent,
	prepared: Prepared,
): Promise<Result> {
	const deadline = new Deadline(budgetOf(context), true);
	const access = await openAccess(context, event.service, deadline);
	return itemsOf([(await prepared.sample(access)) as IDataObject]);
}

async function poll(
	context: IPollFunctions,
	event: TriggerEvent,
	prepared: Prepared,
	first: boolean,
): Promise<Result> {
	const deadline = new Deadline(budgetOf(context), first);
	const giveBack = takeTurn(keyOf(context), deadline.givenUpAt, systemClock.now());
	// The poll that is still at work finds what there is; the next one finds the rest.
	if (!giveBack) return null;
	try {
		return await pollInTurn(context, event, prepared, deadline);
	} finally {
		giveBack();
	}
}

async function pollInTurn(
	context: IPollFunctions,
	event: TriggerEvent,
	prepared: Prepared,
	deadline: Deadline,
): Promise<Result> {
	const staticData = context.getWorkflowStaticData('node');
	const before: unknown = staticData[STATE_KEY];
	const trigger = keyOf(context);
	const access = await openAccess(context, event.service, deadline);
	const fingerprint = fingerprintOf([event.name, access.secretIdentity, prepared.settings]);
	const stored = usable(context, event, readState(newestState(trigger, before), fingerprint));

	const reading = new Reading(deadline);
	const { data, kept, events } = await prepared.poll(stored, access, reading);
	if (reading.failure) {
		const nothingGained = events.length === 0 && same(data, stored.data);
		if (nothingGained) throw reading.failure;
		warn(context, event, `a poll ended early and the next one goes on: ${reading.failure.message}`);
	}
	// Somebody else wrote meanwhile: those events belong to them.
	if (staticData[STATE_KEY] !== before) return null;
	const after = data === undefined ? before : writeState(fingerprint, data, kept);
	if (after !== before) staticData[STATE_KEY] = after as string;
	if (events.length > 0) {
		noteEvents(trigger);
		return itemsOf(events as IDataObject[]);
	}
	if (data !== undefined) noteQuietPoll(trigger, before, after as string);
	return null;
}

/** Warns when a state is not used although the user changed nothing. */
function usable(context: IPollFunctions, event: TriggerEvent, stored: Stored): Stored {
	if (stored.warning) warn(context, event, `the trigger starts anew, since ${stored.warning}`);
	return stored;
}

function same(data: unknown, before: unknown): boolean {
	return JSON.stringify(data) === JSON.stringify(before);
}

function itemsOf(records: IDataObject[]): INodeExecutionData[][] {
	return [records.map((json) => ({ json }))];
}

/** Absent before n8n 2.38. */
function budgetOf(context: Partial<Pick<IPollFunctions, 'getPollBudgetMs'>>): number | undefined {
	return context.getPollBudgetMs?.();
}

function keyOf(context: IPollFunctions): string {
	return JSON.stringify([context.getWorkflow().id, context.getNode().id]);
}

function surroundingsOf(context: IPollFunctions, event: TriggerEvent): Surroundings {
	return {
		parameter: <T>(name: string, fallback: T) => context.getNodeParameter(name, fallback) as T,
		trigger: keyOf(context),
		utcOffsetMinutes: DateTime.now().setZone(context.getTimezone()).offset || 0,
		warn: (message) => warn(context, event, message),
	};
}

function warn(context: IPollFunctions, event: TriggerEvent, message: string): void {
	context.logger.warn(`${context.getNode().name} (${event.name}): ${message}`);
}

/** Adds to a problem which event it hit and what happens next. */
function explained(event: TriggerEvent, error: unknown, stage: Stage): unknown {
	if (!(error instanceof InputError || error instanceof ServiceError)) return error;
	const message = `${event.name}: ${error.message}`;
	const description = [error.description, whatNext(error, stage)].filter(Boolean).join(' ');
	return error instanceof InputError
		? new InputError(message, description)
		: new ServiceError(message, { ...error, description });
}

function whatNext(error: InputError | ServiceError, stage: Stage): string {
	if (stage === 'test') return 'Nothing was changed by this test.';
	if (stage === 'first') {
		return 'The trigger has not begun to watch; publish the workflow again when this is put right.';
	}
	const cause = error instanceof ServiceError ? error.failure?.cause : 'configuration-invalid';
	const repair = cause === 'credential-invalid' || cause === 'configuration-invalid';
	return repair
		? 'n8n polls again at the next poll time, but this needs your hand. When it is put right, the trigger goes on where its last successful poll ended.'
		: 'n8n polls again at the next poll time, and the trigger goes on where its last successful poll ended. Nothing is lost.';
}
