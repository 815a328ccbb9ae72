import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { INodeParameters } from 'n8n-workflow';

import { run } from '../../tools/host';
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

type Variants = Record<string, () => Promise<number>>;

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
			variants[`${name}: ${who}`] = async () => await fullRun(chain);
		};
		await add(WHO.ours, linkManagement(credential, ours));
		await add(WHO.theirs, httpRequest(credential, theirs(stage.sandbox.links.baseUrl)));
		variants[`${name}: ${WHO.floor}`] = async () => await floorRun(stage, credential, floor);
	}
	return variants;
}

async function fullRun(chain: Chain): Promise<number> {
	const { ms, succeeded } = await chain.run();
	if (succeeded !== ITEMS) throw new Error(`${succeeded} of ${ITEMS} items came out`);
	return ms;
}

async function floorRun(
	{ host, sandbox }: Stage,
	{ name: apiKey }: CredentialRef,
	requestOf: Case['floor'],
): Promise<number> {
	const input = JSON.stringify({
		origin: sandbox.links.baseUrl,
		authorization: `Bearer ${apiKey}`,
		requests: Array.from({ length: ITEMS }, (_, index) => requestOf(index)),
	});
	return Number(await run(host.nodePath, [join(__dirname, '..', 'floor.cjs')], { input }));
}

/** Between two runs the sandbox forgets what the first has made. */
function quiet(variants: Variants, { sandbox }: Stage, { report }: PartOptions): Variants {
	return Object.fromEntries(
		Object.entries(variants).map(([name, variant]) => [
			name,
			async () => {
				sandbox.links.clearRequests();
				sandbox.links.configure({ counts: {} });
				const ms = await variant();
				report(`${name}: ${Math.round(ms)} ms`);
				return ms;
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

function findings(measured: Record<string, number[]>): Findings {
	const times = (name: string, who: string) => measured[`${name}: ${who}`]!;
	const speedUp = (name: string) => ratio(times(name, WHO.theirs), times(name, WHO.ours));
	const rows: Row[] = CASES.map(({ name }) => ({
		'1,000 items': name,
		[`${WHO.ours}, ms`]: rounded(median(times(name, WHO.ours))),
		[`${WHO.theirs}, ms`]: rounded(median(times(name, WHO.theirs))),
		[`${WHO.floor}, ms`]: rounded(median(times(name, WHO.floor))),
		'as fast as HTTP Request': `${rounded(speedUp(name))} x`,
	}));
	return {
		setting:
			'1,000 items through one node, one request each, no rate limit in the way. The time is the node’s own in n8n’s execution record. Plain Node: 20 kept-alive connections, nothing else.',
		rows,
		targets: CASES.map(({ name, byExpression }) =>
			atLeast(byExpression ? 1.5 : 2, speedUp(name), name),
		),
		raw: measured,
	};
}
