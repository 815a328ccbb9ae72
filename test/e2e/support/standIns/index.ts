import { join } from 'node:path';
import { startJsonServer, type JsonServer } from '../jsonServer';
import { Airtable } from './airtable';
import { Google } from './google';
import { HubSpot } from './hubSpot';
import { Pipedrive } from './pipedrive';
import { Slack } from './slack';

/** Loaded into n8n by `--require`. */
const HOOK = join(__dirname, 'elsewhere.cjs');

export interface StandIns extends JsonServer {
	airtable: Airtable;
	google: Google;
	hubSpot: HubSpot;
	pipedrive: Pipedrive;
	slack: Slack;
	/** Environment for n8n, so that the requests of its nodes for these services arrive here. */
	env: NodeJS.ProcessEnv;
	reset(): void;
}

/** Stand-ins for the services that the examples use besides the package's own. */
export async function startStandIns(): Promise<StandIns> {
	const services = {
		airtable: new Airtable(),
		google: new Google(),
		hubSpot: new HubSpot(),
		pipedrive: new Pipedrive(),
		slack: new Slack(),
	};
	const all = Object.values(services);
	const server = await startJsonServer((app) => {
		for (const { addRoutes } of all) addRoutes(app);
	});
	return {
		...server,
		...services,
		env: {
			NODE_OPTIONS: `--require=${JSON.stringify(HOOK)}`,
			STAND_IN_URL: server.url,
			STAND_IN_HOSTS: all.flatMap(({ hosts }) => hosts).join(),
		},
		reset() {
			for (const service of all) service.reset();
		},
	};
}
