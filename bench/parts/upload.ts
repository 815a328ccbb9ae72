import { mkdir, open } from 'node:fs/promises';
import { join } from 'node:path';

import { heapAndBuffers, MEGABYTE, peakGrowth } from '../host/samples';
import type { Sample } from '../host/probeClient';
import { NO_LIMIT, openStage, type Stage } from '../host/stage';
import { Chain, httpRequest, linkManagement, type NodeSpec } from '../host/workflows';
import { atLeast, atMost, rounded } from '../part';
import type { Findings, Part, PartOptions, Row } from '../part';
import { interleave, median, ratio } from '../statistics';

const SIZES_MB = [10, 100, 500];
const OURS = 'Link Management';
const THEIRS = 'HTTP Request';

interface Reading {
	ms: number;
	/** Peak of the process as the system sees it, in bytes above that before its first upload. */
	process: number;
}

/** Files that n8n keeps on disk, sent to the service. */
export const upload: Part = {
	name: 'upload',
	title: 'Upload',
	async run({ rounds, report }) {
		const stages: Record<string, Stage> = {};
		try {
			// A process of its own for each node: n8n seldom gives memory back to the system.
			for (const who of [OURS, THEIRS]) stages[who] = await openStage(UNLIMITED);
			const uploads = await uploadsOf(stages);
			const timed = Object.fromEntries(
				uploads.map((one) => [one.name, async () => await timing(one, report)]),
			);
			// A round moves more than a gigabyte; five are enough to see what memory does.
			const measured = await interleave(timed, Math.min(rounds, 5), false);
			const live: Record<string, number> = {};
			for (const one of uploads) live[one.name] = await liveMemory(one);
			return findings(measured, live);
		} finally {
			for (const stage of Object.values(stages)) await stage.close();
		}
	},
};

const UNLIMITED = { rateLimit: { limit: NO_LIMIT } };

/** A file to be sent by a node. */
interface FileUpload {
	name: string;
	size: number;
	chain: Chain;
	stage: Stage;
	/** Memory of the stage's process before its first upload. */
	before: Sample;
}

async function uploadsOf(stages: Record<string, Stage>): Promise<FileUpload[]> {
	const uploads: FileUpload[] = [];
	for (const [who, stage] of Object.entries(stages)) {
		const { api, probe, sandbox, userFolder } = stage;
		const credential = await stage.freshLinkCredential();
		const url = `${sandbox.links.baseUrl}/api/files/upload/bench.bin`;
		const spec =
			who === OURS
				? linkManagement(credential, { resource: 'file', operation: 'upload' })
				: httpRequest(credential, { url, ...BINARY_BODY });
		const chainFor = async (size: number) =>
			await Chain.store(api, spec.name, [readFile(await fileOf(userFolder, size)), spec]);
		const warmUp = await chainFor(1);
		const { samples } = await probe.sampledDuring(async () => await warmUp.run());
		const before = samples.at(-1)!;
		for (const size of SIZES_MB) {
			const name = `${size} MB: ${who}`;
			uploads.push({ name, size, chain: await chainFor(size), stage, before });
		}
	}
	return uploads.sort((one, other) => one.size - other.size);
}

async function timing(
	{ name, size, chain, stage, before }: FileUpload,
	report: PartOptions['report'],
): Promise<Reading> {
	const { result, samples } = await stage.probe.sampledDuring(async () => await chain.run());
	const received = stage.sandbox.links.requests.at(-1)?.bodyBytes;
	if (received !== size * MEGABYTE) throw new Error(`${received} bytes arrived`);
	const reading = { ms: result.ms, process: peakGrowth(samples, result, ({ rss }) => rss, before) };
	report(`${name}: ${reading.ms} ms, ${rounded(reading.process / MEGABYTE)} MB`);
	return reading;
}

/** The most that was held while the file was sent, in bytes; garbage does not count. */
async function liveMemory({ chain, stage }: FileUpload): Promise<number> {
	const { result, samples } = await stage.probe.liveMemoryDuring(async () => await chain.run());
	return peakGrowth(samples, result, heapAndBuffers);
}

const BINARY_BODY = {
	method: 'POST',
	sendBody: true,
	contentType: 'binaryData',
	inputDataFieldName: 'data',
};

function readFile(path: string): NodeSpec {
	return {
		name: 'Read file',
		type: 'n8n-nodes-base.readWriteFile',
		parameters: { operation: 'read', fileSelector: path, options: {} },
	};
}

/** A file of `size` megabytes that cannot be compressed to nothing on the way. */
async function fileOf(folder: string, size: number): Promise<string> {
	const files = join(folder, 'files');
	await mkdir(files, { recursive: true });
	const path = join(files, `${size}.bin`);
	const piece = Buffer.from(Array.from({ length: MEGABYTE }, (_, index) => (index * 7919) % 251));
	const file = await open(path, 'w');
	try {
		for (let count = 0; count < size; count++) await file.write(piece);
	} finally {
		await file.close();
	}
	return path;
}

function findings(measured: Record<string, Reading[]>, live: Record<string, number>): Findings {
	const nameOf = (size: number, who: string) => `${size} MB: ${who}`;
	const times = (size: number, who: string) => measured[nameOf(size, who)]!.map(({ ms }) => ms);
	const processMb = (size: number, who: string) =>
		Math.max(...measured[nameOf(size, who)]!.map((reading) => reading.process)) / MEGABYTE;
	const rows = SIZES_MB.flatMap((size) =>
		[OURS, THEIRS].map((who): Row => {
			const ms = median(times(size, who));
			return {
				File: `${size} MB`,
				Node: who,
				ms: rounded(ms),
				'MB per s': rounded((size / ms) * 1_000),
				'held at most, MB': rounded(live[nameOf(size, who)]! / MEGABYTE),
				'process grows by, MB': rounded(processMb(size, who)),
			};
		}),
	);
	return {
		setting:
			'One node uploads a file that n8n keeps on disk. Each node has its own n8n process; their rounds alternate. Held: heap and buffers after frequent garbage collections, minus those before the execution. Process: the highest resident memory of all rounds, minus that before the first upload, garbage included.',
		rows,
		targets: SIZES_MB.flatMap((size) => [
			atMost(32, processMb(size, OURS), `${size} MB: growth of the process`, 'MB'),
			atLeast(
				1,
				ratio(times(size, THEIRS), times(size, OURS)),
				`${size} MB: throughput of HTTP Request`,
			),
		]),
		raw: { measured, live },
	};
}
