import type { Sandbox } from '../../sandbox';
import { TriggerHost } from '../engine';
import { table } from '../cli/tables';
import { credentialsOf } from './services';

/** Activates the trigger, uploads a file behind its back, and returns what the next poll emits. */
export async function watchFiles(sandbox: Sandbox): Promise<string> {
	const { linkManagementApi } = credentialsOf(sandbox);
	const host = new TriggerHost({
		scheduler: 'durable',
		parameters: { event: 'fileCreated' },
		credentials: { linkManagementApi },
	});
	await host.activate();
	const uploaded = sandbox.links.control.addFile({ name: 'price-list.pdf' });
	await host.tick();
	const [error] = host.errors;
	if (error) throw error;
	const emitted = host.take();
	if (emitted.length !== 1 || emitted[0]?.id !== uploaded.id) {
		throw new Error(`The trigger emitted ${emitted.length} files instead of the uploaded one`);
	}
	return table(
		['File', 'Name', 'Download URL', 'Date'],
		emitted.map(({ id, name, shorturl, date }) => [id, name, shorturl, date]),
		{ right: [0] },
	);
}
