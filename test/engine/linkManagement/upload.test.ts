import { createHash, randomBytes } from 'node:crypto';
import type { ReadStream } from 'node:fs';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { IBinaryData, INodeParameters, IWorkflowSettings } from 'n8n-workflow';

import { callAsTool } from '../contexts';
import { binaryDataOnDisk } from '../harness';
import { bench, pairedWith, runAt, type LinkBench } from '../support';

const MEGABYTE = 1024 * 1024;

const upload = { resource: 'file', operation: 'upload', binaryPropertyName: 'data' };

/** A file in an item when n8n keeps binary data in memory. */
function inMemory(content: Buffer, fields: Partial<IBinaryData> = {}): IBinaryData {
	return { data: content.toString('base64'), mimeType: 'application/pdf', ...fields };
}

/** A file in an item when n8n keeps binary data on disk. */
async function onDisk(content: Buffer, fields: Partial<IBinaryData> = {}): Promise<IBinaryData> {
	const service = await binaryDataOnDisk();
	return await service.store(
		{ type: 'execution', workflowId: 'engine-test', executionId: 'execution' },
		content,
		{ data: '', mimeType: 'application/pdf', ...fields },
	);
}

/** An HTTP server that doesn't read a request before `respond` does. */
async function rawServer(respond: RequestListener) {
	const server = createServer(respond);
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	const { port } = server.address() as AddressInfo;
	const credential = { baseUrl: `http://127.0.0.1:${port}`, apiKey: `upload-key-${port}` };
	const close = () => {
		server.closeAllConnections();
		server.close();
	};
	return { credential, close };
}

/** An item with a file. */
const itemOf = (data: IBinaryData) => ({ json: {}, binary: { data } });
const tiny = (fields?: Partial<IBinaryData>) => itemOf(inMemory(Buffer.from('x'), fields));

const sha256 = (content: Buffer) => createHash('sha256').update(content).digest('hex');

function stored({ links }: LinkBench, id: unknown) {
	return links.state.files.get(Number(id))?.upload;
}

describe('Uploaded content', () => {
	const kinds: Array<[string, typeof onDisk]> = [
		['in memory', async (...given) => inMemory(...given)],
		['on disk', onDisk],
	];

	test('uploads what a data URI in a file holds', async () => {
		const subject = await bench();
		const content = Buffer.from('hello');
		const data = `data:text/plain;base64,${content.toString('base64')}`;
		const { items } = await subject.run(upload, {
			items: [itemOf({ data, mimeType: 'text/plain' })],
		});
		expect(stored(subject, items[0]!.json.id)).toMatchObject({ sha256: sha256(content) });
	});

	test.each(kinds)(
		'uploads files %s byte for byte, with their names, lengths and types',
		async (_, make) => {
			const subject = await bench();
			const contents = [0, 1, 3 * MEGABYTE].map((size) => randomBytes(size));
			const files = contents.map(
				async (content, index) => await make(content, { fileName: `photo-${index}.pdf` }),
			);
			const items = (await Promise.all(files)).map((photo) => ({ json: {}, binary: { photo } }));
			const outcome = await subject.run({ ...upload, binaryPropertyName: 'photo' }, { items });
			expect(pairedWith(outcome.items)).toEqual([0, 1, 2]);
			expect(outcome.items.filter(({ binary: kept }) => kept)).toEqual([]);
			expect(subject.requests).toHaveLength(3);
			for (const [index, content] of contents.entries()) {
				const [filename, bytes] = [`photo-${index}.pdf`, content.length];
				const { id } = outcome.items[index]!.json;
				expect(stored(subject, id)).toMatchObject({ filename, bytes, sha256: sha256(content) });
				const { headers } = subject.requests.find(({ path }) => path.endsWith(filename))!;
				expect(headers['content-length']).toBe(String(bytes));
				expect(headers['content-type']).toBe('application/pdf');
				expect(headers).not.toHaveProperty('transfer-encoding');
			}
		},
	);

	test('closes a file on disk if the service responds before reading all of it', async () => {
		const service = await rawServer((_, response) => response.writeHead(401).end('{"error":1}'));
		const opened = jest.spyOn(await binaryDataOnDisk(), 'getAsStream');
		const items = [itemOf(await onDisk(randomBytes(20 * MEGABYTE)))];
		const { error } = await runAt(service, upload, { items });
		const file = (await opened.mock.results[0]!.value) as ReadStream;
		opened.mockRestore();
		service.close();
		expect(error).toBeDefined();
		expect(file.destroyed).toBe(true);
	});
});

describe('The file to upload', () => {
	/** Uploads from an item of the node "Source" with a file in each of these fields. */
	async function uploadOf(
		binaryPropertyName: string,
		fields: string[],
		workflowSettings?: IWorkflowSettings,
	) {
		const { run, lines } = await bench();
		const binary: Record<string, IBinaryData> = {};
		for (const field of fields) {
			binary[field] = await onDisk(Buffer.from('x'), { fileName: `${field}.pdf` });
		}
		const items = [{ json: {}, ...(fields.length > 0 && { binary }) }];
		const { error } = await run({ ...upload, binaryPropertyName }, { items, workflowSettings });
		return error ? `${error.message} ${error.description}` : lines().join();
	}

	test.each<[given: string, fields: string[], settings: object, uploaded: string]>([
		["={{ $('Source').first().binary.scan }}", ['photo', 'scan'], {}, 'scan.pdf'],
		['={{ $binary.photo }}', ['photo', 'scan'], {}, 'photo.pdf'],
		[' scan ', ['photo', 'scan'], {}, 'scan.pdf'],
		['data', ['Invoice'], {}, 'Invoice.pdf'],
		['data', ['data', 'scan'], {}, 'data.pdf'],
		['_files.photo', ['photo', 'scan'], { binaryMode: 'combined' }, 'photo.pdf'],
		['={{ $json._files.photo }}', ['photo', 'scan'], { binaryMode: 'combined' }, 'photo.pdf'],
		['scan', ['photo', 'scan'], { binaryMode: 'combined' }, 'scan.pdf'],
		['data', ['photo'], { binaryMode: 'combined' }, 'photo.pdf'],
	])(
		'with %j as "Input Binary Field", an item with files in %j uploads the right one (%j)',
		async (given, fields, settings, uploaded) => {
			expect(await uploadOf(given, fields, settings)).toBe(
				`POST /api/files/upload/${uploaded} 200`,
			);
		},
	);

	test('uploads each item’s own file if n8n keeps files in the JSON', async () => {
		const { run, lines } = await bench();
		const names = ['first.pdf', 'second.pdf'];
		const files = names.map(async (fileName) => await onDisk(Buffer.from('x'), { fileName }));
		const items = (await Promise.all(files)).map((photo) => ({
			json: {},
			binary: { photo, other: photo },
		}));
		const workflowSettings = { binaryMode: 'combined' } as const;
		const given = { ...upload, binaryPropertyName: '_files.photo' };
		expect((await run(given, { items, workflowSettings })).error).toBeUndefined();
		expect(lines().sort()).toEqual(names.map((name) => `POST /api/files/upload/${name} 200`));
	});

	test.each([
		[
			'data',
			['photo', 'scan'],
			/must be a file, .*, but it is "data".*that have a file: photo, scan\./,
		],
		['constructor', ['photo'], /but it is "constructor".*: photo\./],
		['__proto__', ['photo'], /but it is "__proto__".*: photo\./],
		['photo, scan', ['photo', 'scan'], /but it is "photo, scan".*: photo, scan\./],
		[
			'={{ $json }}',
			['photo'],
			/"Input Binary Field" must be a file, or the name of a field.*: photo\./,
		],
		['data', [], /The item has no files\./],
	])(
		'with %j as "Input Binary Field", an item with files in %j fails and names those it has',
		async (given, fields, message) => {
			expect(await uploadOf(given, fields)).toMatch(message);
		},
	);

	test('uploads a file that a Code node has made without a type', async () => {
		const subject = await bench();
		const file = { data: 'eA==', fileName: 'a.txt', mimeType: null, fileExtension: null };
		const { items, error } = await subject.run(upload, { items: [itemOf(file as never)] });
		expect(error).toBeUndefined();
		expect(stored(subject, items[0]!.json.id)).toMatchObject({ bytes: 1 });
	});

	test.each([
		{ mimeType: 'text/plain', fileName: 'a.txt' },
		{ mimeType: 'text/plain', fileName: 'a.txt', data: { type: 'Buffer', data: [120] } },
	])('a file without a content, such as %j, isn’t one', async (file) => {
		const { run } = await bench();
		const { error } = await run(upload, { items: [itemOf(file as never)] });
		expect(error?.message).toMatch(/"Input Binary Field" must be a file/);
		expect(error?.description).toContain('The item has no files.');
	});

	test('an agent’s tool says that it can’t upload a file', async () => {
		const { credential, requests } = await bench();
		const parameters = { ...upload, fileFields: { custom: "={{ $fromAI('alias') }}" } };
		const credentials = { linkManagementApi: credential };
		const { answers } = await callAsTool('linkManagement', parameters, credentials, [
			{ alias: 'x' },
		]);
		expect(answers[0]).toMatch(/An agent can't pass files to a tool/);
		expect(requests).toEqual([]);
	});
});

// test/shared/http/values.test.ts covers how a name is encoded.
test.each<[Partial<IBinaryData>, INodeParameters, string]>([
	[{ fileName: 'own.md', fileExtension: 'png' }, {}, 'own.md.png'],
	[{ fileName: 'own.pdf' }, { fileName: 'given.txt' }, 'given.txt'],
	[{ fileName: 'own.pdf' }, { fileName: '' }, 'own.pdf'],
	[{ fileName: '  ', fileExtension: 'pdf' }, {}, 'file.pdf'],
	[{ mimeType: '' }, {}, 'file'],
	[{ fileName: 'own', fileExtension: 'pdf' }, { fileName: 'given' }, 'given.pdf'],
	[{ fileName: '../ă?.pdf' }, {}, '..-%C4%83%3F.pdf'],
])(
	'uploads the binary data %j with the fields %j as the file "%s"',
	async (binary, fileFields, name) => {
		const { run, requests } = await bench();
		const { error } = await run({ ...upload, fileFields }, { items: [tiny(binary)] });
		expect(error).toBeUndefined();
		expect(requests[0]!.rawPath).toBe(`/links/api/files/upload/${name}`);
		const type = binary.mimeType === '' ? 'application/octet-stream' : 'application/pdf';
		expect(requests[0]!.headers['content-type']).toBe(type);
	},
);

test('uploads a file that a form has left, as it is', async () => {
	const { run, requests } = await bench();
	const mimeType = 'application/x-www-form-urlencoded';
	const { error } = await run(upload, { items: [tiny({ fileName: 'form.txt', mimeType })] });
	expect(error).toBeUndefined();
	expect(requests[0]!.headers['content-type']).toBe(`${mimeType}; charset=utf-8`);
});

test('streams a large file from disk instead of loading it into memory', async () => {
	const bytes = 64 * MEGABYTE;
	const binary = await onDisk(randomBytes(bytes));
	const opened = jest.spyOn(await binaryDataOnDisk(), 'getAsStream');
	let received = 0;
	let mostHeld = 0;
	const service = await rawServer(async (request, response) => {
		const file = (await opened.mock.results[0]?.value) as ReadStream | undefined;
		for await (const chunk of request) {
			received += (chunk as Buffer).length;
			mostHeld = Math.max(mostHeld, (file?.bytesRead ?? bytes) - received);
		}
		response.end('{"error":0,"id":1}');
	});
	const { error } = await runAt(service, upload, { items: [itemOf(binary)] });
	service.close();
	expect(error).toBeUndefined();
	expect(received).toBe(bytes);
	// The system's own buffers hold up to ten megabytes per connection.
	expect(mostHeld).toBeLessThan(20 * MEGABYTE);
});
