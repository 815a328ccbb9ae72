import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { INodeParameters } from 'n8n-workflow';

import { run } from '../../tools/host';
import { cpuMs } from '../host/samples';
import { NO_LIMIT, openStage, type CredentialRef, type Stage } from '../host/stage';
import { Chain, httpRequest, items, jsonFields, linkManagement } from '../host/workflows';
import type { NodeSpec } from '../host/workflows';
import { atLeast, rounded, type Findings, type Part, type PartOptions, type Row } from '../part';
import { interleave, median, ratio } from '../statistics';

const ITEMS = 1_000;

/** The same work for both nodes and for the floor. */
interface Case {
	name: string;
	byExpression: boolean;
	ours: INodeParameters;
	theirs: (baseUrl: string) => INodeParameters;
	floor: (index: number) => { method: string; path: string; body?: object };
}

/** Identical requests would be sent once, and nothing would be measured. */
const EACH_ITEM = { reuseIdentical: false };
const qrCode = (value: string) => ({
	resource: 'qrCode',
	operation: 'get',
	qrCodeId: { __rl: true, mode: 'id', value },
	options: EACH_ITEM,
});
const campaign = (name: string) => ({
	resource: 'campaign',
	operation: 'create',
	campaignFields: { name },
});

const CASES: Case[] = [
	{
		name: 'GET, fixed',
		byExpression: false,
		ours: qrCode('7'),
		theirs: (baseUrl) => ({ url: `${baseUrl}/api/qr/7` }),
		floor: () => ({ method: 'GET', path: '/api/qr/7' }),
	},
	{
		name: 'GET, by expression',
		byExpression: true,
		ours: qrCode('={{ $json.id }}'),
		theirs: (baseUrl) => ({ url: `=${baseUrl}/api/qr/{{ $json.id }}` }),
		floor: (index) => ({ method: 'GET', path: `/api/qr/${index + 1}` }),
	},
	{
		name: 'POST, fixed',
		byExpression: false,
		ours: campaign('Spring sale'),
		theirs: (baseUrl) => ({
			url: `${baseUrl}/api/campaign/add`,
			...jsonFields({ name: 'Spring sale' }),
		}),
		floor: () => ({ method: 'POST', path: '/api/campaign/add', body: { name: 'Spring sale' } }),
	},
	{
		name: 'POST, by expression',
		byExpression: true,
		ours: campaign('={{ $json.name }}'),
		theirs: (baseUrl) => ({
			url: `${baseUrl}/api/campaign/add`,
			...jsonFields({ name: '={{ $json.name }}' }),
		}),
		floor: (index) => ({
			method: 'POST',
			path: '/api/campaign/add',
			body: { name: `Sale ${index + 1}` },
		}),
	},
];

const WHO = { ours: 'Link Management', theirs: 'HTTP Request', floor: 'plain Node' };

/** What n8n, our node and HTTP Request add to 1,000 requests. */
export const overhead: Part = {
	name: 'overhead',
	title: 'Overhead per item',
	async run(options) {
		const stage = await openStage({
			rateLimit: { limit: NO_LIMIT },
			counts: { qrs: ITEMS },
			logCapacity: ITEMS,
		});
		try {
			const variants = await variantsOf(stage);
			if (options.profiles) await profile(stage, variants, options.profiles);
			const measured = await interleave(quiet(variants, stage, options), options.rounds);
			return findings(measured);
		} finally {
			await stage.close();
		}
	},
};

/** What a variant took: by the clock, and of the processors. */
interface Cost {
	ms: number;
	/** Absent for the floor, whose process also starts and ends. */
	cpuMs?: number;
}

type Variants = Record<string, () => Promise<Cost>>;

async function variantsOf(stage: Stage): Promise<Variants> {
	const credential = await stage.freshLinkCredential();
	const records = Array.from({ length: ITEMS }, (_, index) => ({
		id: index + 1,
		name: `Sale ${index + 1}`,
	}));
	const variants: Variants = {};
	for (const { name, ours, theirs, floor } of CASES) {
		const add = async (who: string, spec: NodeSpec) => {
			const chain = await Chain.store(stage.api, `${name}: ${who}`, [...items(records), spec]);
			variants[`${name}: ${who}`] = async () => await fullRun(stage, chain);
		};
		await add(WHO.ours, linkManagement(credential, ours));
		await add(WHO.theirs, httpRequest(credential, theirs(stage.sandbox.links.baseUrl)));
		variants[`${name}: ${WHO.floor}`] = async () => await floorRun(stage, credential, floor);
	}
	return variants;
}

async function fullRun({ probe }: Stage, chain: Chain): Promise<Cost> {
	const { result, samples } = await probe.sampledDuring(async () => await chain.run());
	if (result.succeeded !== ITEMS)
		throw new Error(`${result.succeeded} of ${ITEMS} items succeeded`);
	return { ms: result.ms, cpuMs: cpuMs(samples, result) };
}

async function floorRun(
	{ host, sandbox }: Stage,
	{ name: apiKey }: CredentialRef,
	requestOf: Case['floor'],
): Promise<Cost> {
	const input = JSON.stringify({
		origin: sandbox.links.baseUrl,
		authorization: `Bearer ${apiKey}`,
		requests: Array.from({ length: ITEMS }, (_, index) => requestOf(index)),
	});
	const printed = await run(host.nodePath, [join(__dirname, '..', 'floor.cjs')], { input });
	return { ms: Number(printed) };
}

/** Between two runs the sandbox forgets what the first has made. */
function quiet(variants: Variants, { sandbox }: Stage, { report }: PartOptions): Variants {
	return Object.fromEntries(
		Object.entries(variants).map(([name, variant]) => [
			name,
			async () => {
				sandbox.links.clearRequests();
				sandbox.links.configure({ counts: {} });
				const cost = await variant();
				report(`${name}: ${JSON.stringify(cost)}`);
				return cost;
			},
		]),
	);
}

async function profile({ probe }: Stage, variants: Variants, folder: string): Promise<void> {
	for (const [name, variant] of Object.entries(variants)) {
		if (name.endsWith(WHO.floor)) continue;
		await variant();
		const { profile: cpu } = await probe.profileOf(variant);
		const file = `${name.replace(/\W+/g, '-')}.cpuprofile`;
		await writeFile(join(folder, file), JSON.stringify(cpu));
	}
}

function findings(measured: Record<string, Cost[]>): Findings {
	const values = (name: string, who: string, key: keyof Cost) =>
		measured[`${name}: ${who}`]!.map((cost) => cost[key] ?? 0);
	const speedUp = (name: string, key: keyof Cost) =>
		ratio(values(name, WHO.theirs, key), values(name, WHO.ours, key));
	const row = (name: string, key: keyof Cost): Row => ({
		'1,000 items': name,
		'': key === 'ms' ? 'ms' : 'CPU ms',
		[WHO.ours]: rounded(median(values(name, WHO.ours, key))),
		[WHO.theirs]: rounded(median(values(name, WHO.theirs, key))),
		[WHO.floor]: key === 'ms' ? rounded(median(values(name, WHO.floor, key))) : '',
		'as fast as HTTP Request': `${rounded(speedUp(name, key))} x`,
	});
	return {
		setting:
			'1,000 items through one node, one request each, no rate limit. Time: the node’s own in n8n’s execution record. CPU time: all threads of the n8n process during that time; other programs on the machine hardly affect it. Plain Node: 20 keep-alive connections, nothing else.',
		rows: CASES.flatMap(({ name }) => [row(name, 'ms'), row(name, 'cpuMs')]),
		targets: CASES.map(({ name, byExpression }) =>
			atLeast(byExpression ? 1.5 : 2, speedUp(name, 'ms'), name),
		),
		raw: measured,
	};
}
