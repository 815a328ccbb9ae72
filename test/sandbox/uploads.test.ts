import { createHash } from 'node:crypto';
import type { Sandbox } from '../../sandbox';
import { sandboxFor } from './support';

type Body = NonNullable<RequestInit['body']>;

async function upload({ links }: Sandbox, target: string, body: Body) {
	const response = await fetch(`${links.baseUrl}/api/files/upload/${target}`, {
		method: 'POST',
		headers: { Authorization: `Bearer ${links.apiKey}`, 'Content-Type': 'application/pdf' },
		body,
		duplex: 'half',
	} as RequestInit);
	return {
		status: response.status,
		json: (await response.json()) as { id: number; shorturl: string; message?: string },
	};
}

describe('file upload', () => {
	test('keeps size, hash and all six parameters of what was sent', async () => {
		const sandbox = await sandboxFor({ clock: () => Date.UTC(2026, 1, 3, 4, 5, 6) });
		const content = Buffer.from('conținut');
		const query =
			'name=Oferta.pdf&custom=oferta&domain=https%3A%2F%2Fgo.example%2F&password=p' +
			'&expiry=2026-12-31&maxdownloads=5';
		const { json } = await upload(sandbox, `ofert%C4%83%202%2F3.pdf?${query}`, content);
		expect(json).toEqual({ error: 0, id: 181, shorturl: 'https://go.example/oferta' });
		expect(sandbox.links.state.files.get(181)).toEqual({
			id: 181,
			name: 'Oferta.pdf',
			downloads: 0,
			shorturl: 'https://go.example/oferta',
			date: '2026-02-03 04:05:06',
			upload: {
				filename: 'ofertă 2/3.pdf',
				contentType: 'application/pdf',
				bytes: content.length,
				sha256: createHash('sha256').update(content).digest('hex'),
				custom: 'oferta',
				domain: 'https://go.example/',
				password: 'p',
				expiry: '2026-12-31',
				maxdownloads: 5,
			},
		});
	});

	test('lists the new file first, without undocumented fields', async () => {
		const sandbox = await sandboxFor();
		await upload(sandbox, 'a.txt', 'a');
		const response = await fetch(`${sandbox.links.baseUrl}/api/files?limit=1`, {
			headers: { Authorization: `Bearer ${sandbox.links.apiKey}` },
		});
		const { list } = (await response.json()) as { list: object[] };
		expect(list).toEqual([expect.objectContaining({ id: 181, name: 'a.txt', downloads: 0 })]);
		expect(list[0]).not.toHaveProperty('upload');
	});

	test('reads a large stream without keeping it', async () => {
		const sandbox = await sandboxFor();
		const chunk = new Uint8Array(1024 * 1024);
		let left = 48;
		const stream = new ReadableStream({
			pull(controller) {
				if (left-- > 0) controller.enqueue(chunk);
				else controller.close();
			},
		});
		const before = process.memoryUsage().arrayBuffers;
		await upload(sandbox, 'big.bin', stream as unknown as Body);
		expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(40 * 1024 * 1024);
		expect(sandbox.links.requests[0]).toMatchObject({ bodyBytes: 48 * 1024 * 1024 });
		expect(sandbox.links.requests[0]?.body).toBeUndefined();
	});

	test.each([
		['a.txt?expiry=2026-02-30', "'expiry'"],
		['a.txt?maxdownloads=many', "'maxdownloads'"],
		['a.txt?custom=a%20b', "'custom'"],
		['a.txt?alias=x', "Unknown query parameter 'alias'"],
	])('refuses %s and names the parameter', async (target, message) => {
		const { status, json } = await upload(await sandboxFor(), target, 'a');
		expect(status).toBe(400);
		expect(json.message).toContain(message);
	});

	test('refuses an alias that is taken, and a file that is too large', async () => {
		const sandbox = await sandboxFor({ links: { maxUploadBytes: 4 } });
		await upload(sandbox, 'a.txt?custom=mine', 'a');
		expect((await upload(sandbox, 'b.txt?custom=mine', 'b')).json.message).toMatch(/taken/);
		expect((await upload(sandbox, 'c.txt', 'ccccc')).status).toBe(413);
		expect(sandbox.links.state.files.size).toBe(181);
	});
});
