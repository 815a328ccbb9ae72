import { binaryDataOnDisk } from './harness';

import { execFile } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { promisify } from 'node:util';
import type { IBinaryData, IDataObject, INodeParameters } from 'n8n-workflow';

import { fakeService } from '../fakeService';
import type { LinkBench } from './support';
import { bench, pairedWith, recordsOf, runAt } from './support';
import type { UploadReport } from './uploadMemory';

const MEGABYTE = 1024 * 1024;

const upload = { resource: 'file', operation: 'upload', binaryPropertyName: 'data' };

/** A file as the item holds it when n8n keeps binaries in memory. */
function inMemory(content: Buffer, fields: Partial<IBinaryData> = {}): IBinaryData {
	return { data: content.toString('base64'), mimeType: 'application/pdf', ...fields };
}

/** A file in n8n's store on disk. */
async function onDisk(content: Buffer, fields: Partial<IBinaryData> = {}): Promise<IBinaryData> {
	const service = await binaryDataOnDisk();
	return await service.store(
		{ type: 'execution', workflowId: 'engine-test', executionId: 'execution' },
		content,
		{ data: '', mimeType: 'application/pdf', ...fields },
	);
}

const sha256 = (content: Buffer) => createHash('sha256').update(content).digest('hex');

function stored({ links }: LinkBench, id: unknown) {
	return links.state.files.get(Number(id))?.upload;
}

describe('the content', () => {
	const kinds: Array<[string, typeof onDisk]> = [
		['in memory', async (...given) => inMemory(...given)],
		['on disk', onDisk],
	];

	test.each(kinds)(
		'of files %s arrives byte by byte, under the name, length and type of each',
		async (_, make) => {
			const subject = await bench();
			const contents = [0, 1, 3 * MEGABYTE].map((size) => randomBytes(size));
			const items = await Promise.all(
				contents.map(async (content, index) => ({
					json: {},
					binary: { photo: await make(content, { fileName: `photo-${index}.pdf` }) },
				})),
			);
			const outcome = await subject.run({ ...upload, binaryPropertyName: 'photo' }, { items });
			expect(pairedWith(outcome.items)).toEqual([0, 1, 2]);
			expect(subject.requests).toHaveLength(3);
			for (const [index, { json }] of outcome.items.entries()) {
				const content = contents[index]!;
				const filename = `photo-${index}.pdf`;
				const bytes = content.length;
				expect(stored(subject, json.id)).toMatchObject({
					filename,
					bytes,
					sha256: sha256(content),
				});
				const sent = subject.requests.find(({ path }) => path.endsWith(filename));
				expect(sent!.headers).toMatchObject({
					'content-length': String(bytes),
					'content-type': 'application/pdf',
				});
				expect(sent!.headers).not.toHaveProperty('transfer-encoding');
			}
		},
	);

	test.each(kinds)('of a file %s is sent whole again after a refusal', async (_, make) => {
		const subject = await bench();
		subject.links.inject({ status: 429, headers: { 'Retry-After': '0' }, body: { error: 1 } });
		const content = randomBytes(MEGABYTE);
		const { items, error } = await subject.run(upload, {
			items: [{ json: {}, binary: { data: await make(content) } }],
		});
		expect(error).toBeUndefined();
		expect(subject.requests).toHaveLength(2);
		expect(stored(subject, items[0]!.json.id)).toMatchObject({ sha256: sha256(content) });
	});

	test('that is too large for the service is an error that quotes it', async () => {
		const { run } = await bench({ maxUploadBytes: 1000 });
		const { error } = await run(upload, {
			items: [{ json: {}, binary: { data: await onDisk(randomBytes(100_000)) } }],
		});
		expect(error).toMatchObject({ httpCode: '413' });
		expect(error!.message).toContain('The file is larger than 1000 bytes');
	});
});

// How a name is encoded: test/shared/http/url.test.ts.
test.each<[Partial<IBinaryData>, IDataObject, string]>([
	[{ fileName: 'own.pdf', fileExtension: 'png' }, {}, 'own.pdf'],
	[{ fileName: 'own.pdf' }, { fileName: 'given.txt' }, 'given.txt'],
	[{ fileName: 'own.pdf' }, { fileName: '' }, 'own.pdf'],
	[{ fileName: '  ', fileExtension: 'pdf' }, {}, 'file.pdf'],
	[{}, {}, 'file'],
	[{ fileName: '../ă?.pdf' }, {}, '..-%C4%83%3F.pdf'],
])('the file name of the binary %j and the fields %j is %s', async (binary, fields, name) => {
	const { run, requests } = await bench();
	const { error } = await run(
		{ ...upload, fileFields: fields as INodeParameters },
		{ items: [{ json: {}, binary: { data: inMemory(Buffer.from('x'), binary) } }] },
	);
	expect(error).toBeUndefined();
	expect(requests[0]!.rawPath).toBe(`/links/api/files/upload/${name}`);
});

test('many slow files do not hold up another run with the key', async () => {
	const names: string[] = [];
	let deliver = () => {};
	const delivered = new Promise<void>((resolve) => (deliver = resolve));
	const service = await fakeService(async ({ method, path }) => {
		if (method === 'GET') return { error: 0, data: { id: 1 } };
		names.push(path);
		await delivered;
		return { error: 0, id: 1 };
	});
	const items = Array.from({ length: 25 }, (_, at) => ({
		json: {},
		binary: { data: inMemory(Buffer.from('x'), { fileName: `${at}.pdf` }) },
	}));
	const getAccount = async () =>
		recordsOf(await runAt(service, { resource: 'account', operation: 'get' }));
	// Its headers say that more than one request may be sent.
	await getAccount();
	const uploads = runAt(service, upload, { items });
	while (names.length < 4) await setImmediate();
	expect(await getAccount()).toHaveLength(1);
	deliver();
	const { items: uploaded } = await uploads;
	expect(pairedWith(uploaded)).toEqual(items.map((_, at) => at));
	expect(new Set(names).size).toBe(25);
});

test('a field that is left empty is not sent', async () => {
	const { run, requests } = await bench();
	await run(
		{ ...upload, fileFields: { custom: '', domain: ' ', name: '', expiry: '', password: '' } },
		{ items: [{ json: {}, binary: { data: inMemory(Buffer.from('x')) } }] },
	);
	expect(requests[0]!.query).toEqual({});
});

test('150 MB are uploaded with less than 64 MB of growth when n8n keeps binaries on disk', async () => {
	const subject = await bench();
	const { baseUrl, apiKey } = subject.credential;
	const bytes = 150 * MEGABYTE;
	const script = join(__dirname, 'uploadMemory.ts');
	const { stdout } = await promisify(execFile)(
		process.execPath,
		['--expose-gc', '--import', 'tsx', script, baseUrl, apiKey, String(bytes)],
		{ env: { ...process.env, NODE_OPTIONS: '' } },
	);
	const report = JSON.parse(stdout.trim().split('\n').at(-1)!) as UploadReport;

	expect(report.error).toBeUndefined();
	expect(stored(subject, report.id)).toMatchObject({ bytes, sha256: report.sha256 });
	expect(report.samples).toBeGreaterThan(10);
	expect(report.growth.rss).toBeLessThan(64 * MEGABYTE);
	expect(report.growth.external).toBeLessThan(64 * MEGABYTE);
});
