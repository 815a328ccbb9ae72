import { join } from 'node:path';
import type { ICredentialType, INodeParameters, INodeType } from 'n8n-workflow';

import { startSandbox, type Sandbox } from '../../sandbox';
import { PROJECT_DIR } from '../../tools/package';
import { PollContext } from '../host/pollContext';
import { NO_LIMIT } from '../host/stage';
import { atMost, rounded, type Findings, type Part, type Row } from '../part';
import { median } from '../statistics';

const SIZES = [10, 100, 1_000, 10_000, 100_000];
/** The registry's search gives 50 companies at most, and a watch list spends the day's quota. */
const COMPANIES = [10, 50];
/** A first poll of 100,000 QR codes is spread over several, within n8n's time. */
const MOST_POLLS = 500;

interface Event {
	name: string;
	service: 'links' | 'registry';
	sizes: number[];
	parameters: INodeParameters;
	/** Lets happen what the event is about. */
	happen: (sandbox: Sandbox) => void;
}

const EVENTS: Event[] = [
	{
		name: 'fileCreated',
		service: 'links',
		sizes: SIZES,
		parameters: {},
		happen: ({ links }) => links.control.addRow('files'),
	},
	{
		name: 'qrCodeScanned',
		service: 'links',
		sizes: SIZES,
		parameters: { qrCodes: 'all', minimumScans: 1 },
		happen: ({ links }) => {
			const code = links.state.qrs.slice('oldest-first', 0, 1)[0]!;
			code.scans += 5;
		},
	},
	{
		name: 'companyStatusChanged',
		service: 'registry',
		sizes: COMPANIES,
		parameters: {
			watch: 'search',
			// Every IDNO begins so.
			searchFilters: { q: '10' },
			fieldsToWatch: ['status'],
			statusSource: 'search',
		},
		happen: ({ registry }) => {
			const { idno } = registry.v1.state.all()[0]!;
			registry.v1.control.update(idno, { status: 'merged' });
		},
	},
];

interface Reading {
	event: string;
	records: number;
	/** Polls until everything was read for the first time. */
	firstPolls: number;
	requests: number;
	ms: number;
	stateBytes: number;
	/** Polls from the event to the workflow's start. */
	pollsToEvent: number;
}

/** What it costs to look for news when there are none. */
export const trigger: Part = {
	name: 'trigger',
	title: 'Trigger',
	async run({ rounds, report }) {
		const readings: Reading[] = [];
		for (const event of EVENTS) {
			for (const size of event.sizes) {
				const reading = await readingOf(event, size, rounds);
				report(JSON.stringify(reading));
				readings.push(reading);
			}
		}
		return findings(readings);
	},
};

async function readingOf(event: Event, records: number, rounds: number): Promise<Reading> {
	const rateLimit = { limit: NO_LIMIT };
	const sandbox = await startSandbox({
		links: {
			apiKey: `poll-${event.name}-${records}`,
			rateLimit,
			maxPageSize: 100,
			counts: { files: records, qrs: records },
		},
		registry: { v1: { rateLimit, dailyQuota: { limit: null } }, companies: records },
	});
	try {
		const poll = pollOf(event, sandbox, records);
		let firstPolls = 0;
		const service = event.service === 'links' ? sandbox.links : sandbox.registry.v1;
		// The first reading is over when a poll costs what the poll before cost.
		for (let before = -1, now = 0; before !== now && firstPolls < MOST_POLLS; firstPolls++) {
			service.clearRequests();
			await poll.run();
			[before, now] = [now, service.requests.length];
		}
		const times: number[] = [];
		const requests: number[] = [];
		for (let round = 0; round < rounds; round++) {
			service.clearRequests();
			const start = performance.now();
			if ((await poll.run()) !== 0) throw new Error('A quiet poll emitted something');
			times.push(performance.now() - start);
			requests.push(service.requests.length);
		}
		event.happen(sandbox);
		let pollsToEvent = 1;
		while ((await poll.run()) === 0 && pollsToEvent < MOST_POLLS) pollsToEvent++;
		return {
			event: event.name,
			records,
			firstPolls,
			requests: median(requests),
			ms: median(times),
			stateBytes: poll.context.stateBytes,
			pollsToEvent,
		};
	} finally {
		await sandbox.close();
	}
}

interface Poll {
	context: PollContext;
	/** Gives the number of events. */
	run(): Promise<number>;
}

function pollOf({ name, service, parameters }: Event, sandbox: Sandbox, records: number): Poll {
	const { links, registry } = sandbox;
	const node = built<INodeType>('nodes', 'LinkCompanyTrigger', 'LinkCompanyTrigger.node.js');
	const context = new PollContext({
		id: `${name}-${records}`,
		parameters: { event: name, options: {}, ...parameters },
		credentialType: built(
			'credentials',
			service === 'links'
				? 'LinkManagementApi.credentials.js'
				: 'CompanyRegistryApi.credentials.js',
		),
		credentials:
			service === 'links'
				? { baseUrl: links.baseUrl, apiKey: links.apiKey }
				: {
						variant: 'v1',
						baseUrl: registry.v1.baseUrl,
						apiKey: registry.v1.apiKey,
						plan: 'custom',
						requestsPerMinute: NO_LIMIT,
						requestsPerDay: NO_LIMIT,
					},
	});
	const { functions } = context;
	return {
		context,
		run: async () => (await node.poll!.call(functions))?.[0]?.length ?? 0,
	};
}

/** An object of a class of the built package: what n8n would load. */
function built<T = ICredentialType>(...path: string[]): T {
	// eslint-disable-next-line @typescript-eslint/no-require-imports -- built, so not there for tsc
	const exported = require(join(PROJECT_DIR, 'dist', ...path)) as Record<string, new () => T>;
	return new (Object.values(exported)[0]!)();
}

function findings(readings: Reading[]): Findings {
	const files = readings.filter(({ event }) => event === 'fileCreated');
	const others = readings.filter(({ event }) => event !== 'fileCreated');
	return {
		setting:
			'The built trigger polls over HTTP with Node’s own client instead of n8n’s, because n8n polls at most once a minute and keeps no record of a quiet poll. No rate limit. Medians of quiet polls. State: size in the workflow’s static data.',
		rows: readings.map(({ event, records, requests, ms, stateBytes, pollsToEvent }): Row => ({
			Event: event,
			Records: records,
			'requests per quiet poll': requests,
			ms: rounded(ms),
			'state, bytes': stateBytes,
			'polls until emitted': pollsToEvent,
		})),
		targets: [
			atMost(
				1,
				Math.max(...files.map(({ requests }) => requests)),
				'fileCreated: requests of a quiet poll at any size',
				'requests',
			),
			atMost(
				1,
				Math.max(...[...files, ...others].map(({ pollsToEvent }) => pollsToEvent)),
				'From event to emission',
				'polls',
			),
		],
		raw: readings,
	};
}
