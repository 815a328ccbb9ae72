import { typeText } from '../node/builderHint';
import type { TriggerEvents } from './event';

/** What AI builders read about the events: when each starts the workflow, and the fields of its item. */
export function eventHints({ events }: Pick<TriggerEvents, 'events'>): Array<{ content: string }> {
	const texts = Object.values(events).map(
		({ value, description, output }) =>
			`event '${value}': ${description}. Output: ${typeText(output)}`,
	);
	return [{ content: texts.join('\n') }];
}
