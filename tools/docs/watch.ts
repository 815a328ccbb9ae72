import type { Sandbox } from '../../sandbox';
import { TriggerHost, type Scheduler } from '../engine';
import { credentialData } from '../stage/stage';
import * as happenings from './happenings';
import type { Happening } from './happenings';

/** The events of both triggers. */
export const EVENTS = Object.keys(happenings);

/** The company whose status changes, and the channel to which an item is added. */
const WATCHED = { company: '1000600900002', channel: 1 };

const PARAMETERS = {
	companies: { company: [{ idno: WATCHED.company }] },
	searchFilters: { q: 'Vin', region: 'Soroca' },
	channelId: WATCHED.channel,
};

/** A trigger that watches the sandbox for an event, not published yet. */
export function watch(event: string, sandbox: Sandbox, scheduler: Scheduler): TriggerHost {
	const { links, registry } = credentialData(sandbox);
	return new TriggerHost({
		scheduler,
		parameters: { event, ...PARAMETERS },
		credentials: { linkManagementApi: links, companyRegistryApi: registry },
	});
}

/** Makes the event happen in the sandbox. */
export function happen(event: string, sandbox: Sandbox): void {
	(happenings as Record<string, Happening>)[event]?.(sandbox, WATCHED);
}
