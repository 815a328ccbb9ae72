/**
 * Uploads a large file through the engine and measures by how much the memory of the process
 * grows meanwhile. A process of its own, so that neither Jest nor the sandbox is counted.
 *
 *   node --expose-gc --import tsx uploadMemory.ts <base URL> <key> <bytes>
 */
import { createHash } from 'node:crypto';
import Module, { createRequire } from 'node:module';
import { Readable } from 'node:stream';
import type { IBinaryData } from 'n8n-workflow';

const { binaryDataOnDisk, runNode } = loadHarness();

export interface UploadReport {
	error?: string;
	id?: unknown;
	sha256: string;
	/** Most bytes above what there was before the upload. */
	growth: Record<'rss' | 'external', number>;
	samples: number;
}

const WARM_UP_BYTES = 16 * 1024 * 1024;
const CHUNK_BYTES = 256 * 1024;
const SAMPLE_EVERY_MS = 5;

/** With `.json` tried last: beside each `X.node.ts`, the module `X.node`, lies an `X.node.json`. */
function loadHarness() {
	const { _extensions: extensions } = Module as unknown as { _extensions: NodeJS.Dict<unknown> };
	const json = extensions['.json'];
	delete extensions['.json'];
	extensions['.json'] = json;
	return createRequire(__filename)('./harness') as typeof import('./harness');
}

/** Puts a file into n8n's store without ever holding it. */
async function store(bytes: number): Promise<{ binary: IBinaryData; sha256: string }> {
	const hash = createHash('sha256');
	function* content() {
		for (let left = bytes, seed = 1; left > 0; left -= CHUNK_BYTES, seed++) {
			const chunk = Buffer.alloc(Math.min(left, CHUNK_BYTES), `${seed}:`);
			hash.update(chunk);
			yield chunk;
		}
	}
	const service = await binaryDataOnDisk();
	const binary = await service.store(
		{ type: 'execution', workflowId: 'engine-test', executionId: 'execution' },
		Readable.from(content()),
		{ data: '', mimeType: 'video/mp4', fileName: 'film.mp4' },
	);
	return { binary, sha256: hash.digest('hex') };
}

async function upload(binary: IBinaryData) {
	const [baseUrl = '', apiKey = ''] = process.argv.slice(2);
	return await runNode({
		type: 'linkManagement',
		parameters: { resource: 'file', operation: 'upload', binaryPropertyName: 'data' },
		credentials: { linkManagementApi: { baseUrl, apiKey } },
		items: [{ json: {}, binary: { data: binary } }],
	});
}

async function main(): Promise<void> {
	const warmUp = await upload((await store(WARM_UP_BYTES)).binary);
	if (warmUp.error) throw warmUp.error;
	const { binary, sha256 } = await store(Number(process.argv[4]));

	for (let i = 0; i < 3; i++) {
		globalThis.gc?.();
		await new Promise((resolve) => setTimeout(resolve, 50));
	}
	const before = process.memoryUsage();
	const growth = { rss: 0, external: 0 };
	let samples = 0;
	const sample = () => {
		const { rss, external } = process.memoryUsage();
		samples++;
		growth.rss = Math.max(growth.rss, rss - before.rss);
		growth.external = Math.max(growth.external, external - before.external);
	};
	const sampling = setInterval(sample, SAMPLE_EVERY_MS);
	const { items, error } = await upload(binary);
	clearInterval(sampling);
	sample();

	const { id } = items[0]?.json ?? {};
	const report: UploadReport = { error: error?.message, id, sha256, growth, samples };
	process.stdout.write(`\n${JSON.stringify(report)}\n`, () => process.exit(0));
}

void main();
