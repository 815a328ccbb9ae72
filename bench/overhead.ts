import type { INodeParameters } from 'n8n-workflow';

import { startWith } from '../tools/stage/workflows';
import { interleave, median, ratio, rounded, target, type Part } from './part';
import {
	freshCredential,
	httpRequest,
	jsonFields,
	NO_LIMIT,
	onStage,
	ours as ourNode,
	OURS,
	stored,
	THEIRS,
} from './stage';

const ITEMS = 1_000;

/** The same work for both nodes. */
interface Case {
	name: string;
	/** How many times as fast as HTTP Request our node should be. */
	speedUp: number;
	ours: INodeParameters;
	theirs: (baseUrl: string) => INodeParameters;
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
const created = (baseUrl: string, name: string) => ({
	url: `${baseUrl}/api/campaign/add`,
	...jsonFields({ name }),
});

const CASES: Case[] = [
	{
		name: 'GET, fixed',
		speedUp: 2,
		ours: qrCode('7'),
		theirs: (baseUrl) => ({ url: `${baseUrl}/api/qr/7` }),
	},
	{
		name: 'GET, by expression',
		speedUp: 1.5,
		ours: qrCode('={{ $json.id }}'),
		theirs: (baseUrl) => ({ url: `=${baseUrl}/api/qr/{{ $json.id }}` }),
	},
	{
		name: 'POST, fixed',
		speedUp: 2,
		ours: campaign('Spring sale'),
		theirs: (baseUrl) => created(baseUrl, 'Spring sale'),
	},
	{
		name: 'POST, by expression',
		speedUp: 1.5,
		ours: campaign('={{ $json.name }}'),
		theirs: (baseUrl) => created(baseUrl, '={{ $json.name }}'),
	},
];

/** What n8n, our node and HTTP Request add to 1,000 requests. */
export const overhead: Part = async (rounds, report) => {
	const limits = { rateLimit: { limit: NO_LIMIT }, counts: { qrs: ITEMS }, logCapacity: ITEMS };
	const measured = await onStage(limits, async (stage) => {
		const { links } = stage.sandbox;
		const credential = await freshCredential(stage);
		const ids = Array.from({ length: ITEMS }, (_, index) => index + 1);
		const records = ids.map((id) => ({ id, name: `Sale ${id}` }));
		const variants: Record<string, () => Promise<number>> = {};
		for (const { name, ours, theirs } of CASES) {
			const their = httpRequest(credential, theirs(links.baseUrl));
			for (const node of [ourNode(credential, ours), their]) {
				const variant = `${name}: ${node.name}`;
				const run = await stored(stage, variant, [...startWith(records), node]);
				variants[variant] = async () => {
					// Each run starts with the same sandbox.
					links.clearRequests();
					links.configure({ counts: {} });
					const { ms, succeeded } = await run();
					if (succeeded !== ITEMS) throw new Error(`${succeeded} of ${ITEMS} items succeeded`);
					report(`${variant}: ${ms} ms`);
					return ms;
				};
			}
		}
		return await interleave(variants, rounds);
	});
	const of = (name: string, who: string) => measured[`${name}: ${who}`]!;
	const speedUp = (name: string) => ratio(of(name, THEIRS), of(name, OURS));
	return {
		setting:
			'1,000 items through one node, one request each, no rate limit. Times in ms, as n8n recorded them for the node alone.',
		rows: CASES.map(({ name }) => ({
			'1,000 items': name,
			[OURS]: rounded(median(of(name, OURS))),
			[THEIRS]: rounded(median(of(name, THEIRS))),
			'speed-up over HTTP Request': `${rounded(speedUp(name))} x`,
		})),
		targets: CASES.map((each) => target(speedUp(each.name), 'at least', each.speedUp, each.name)),
	};
};
