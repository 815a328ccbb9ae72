import { createHash } from 'node:crypto';
import { ServiceError } from '../../shared/errors';
import type { Exchange } from '../../shared/endpoint';
import { rowsOf, shownRows } from '../lists';
import { fileListQuery, uploadParams, uploadQuery } from '../schemas';
import type { AddRoutes } from './addRoutes';

export const addFileRoutes: AddRoutes = (service, add) => {
	add({
		method: 'get',
		path: '/api/files',
		query: fileListQuery,
		handle: ({ query }, exchange) => {
			const { state } = service;
			const rows =
				query.name === undefined
					? shownRows(state.files, (file) => state.fileView(file))
					: rowsOf(filesNamed(query.name).map((file) => state.fileView(file)));
			return service.answerList('files', rows, query, exchange);
		},
	});

	add({
		method: 'post',
		path: '/api/files/upload/:filename',
		params: uploadParams,
		query: uploadQuery,
		streamed: true,
		handle: async ({ params, query }, exchange) => {
			const { name, ...details } = query;
			const host = details.domain === undefined ? undefined : withScheme(details.domain);
			refuseTakenAlias(details.custom, host);
			const content = await digest(exchange, service.settings.maxUploadBytes);
			const file = service.state.addFile(
				{
					name: name ?? params.filename,
					upload: {
						filename: params.filename,
						contentType: exchange.req.headers['content-type'],
						...content,
						...details,
					},
				},
				details.custom,
				host,
			);
			return { id: file.id, shorturl: file.shorturl };
		},
	});

	function filesNamed(name: string) {
		const wanted = name.toLowerCase();
		return service.state.files.all().filter((file) => file.name.toLowerCase().includes(wanted));
	}

	function refuseTakenAlias(alias: string | undefined, host: string | undefined): void {
		if (alias === undefined) return;
		const taken = service.state.files
			.all()
			.some(({ upload }) => upload?.custom === alias && hostOf(upload.domain) === host);
		if (taken) throw new ServiceError('badRequest', `The alias '${alias}' is already taken`);
	}
};

const hostOf = (domain: string | undefined) =>
	domain === undefined ? undefined : withScheme(domain);

function withScheme(domain: string): string {
	const bare = domain.replace(/\/+$/, '');
	return /^https?:\/\//i.test(bare) ? bare : `https://${bare}`;
}

/** Reads the body to its end, keeping its size and hash and nothing else. */
async function digest(
	{ req, logged }: Exchange,
	maxBytes: number | null,
): Promise<{ bytes: number; sha256: string }> {
	const hash = createHash('sha256');
	for await (const chunk of req as AsyncIterable<Buffer>) {
		logged.bodyBytes += chunk.length;
		hash.update(chunk);
	}
	if (maxBytes !== null && logged.bodyBytes > maxBytes) {
		throw new ServiceError('tooLarge', `The file is larger than ${maxBytes} bytes`);
	}
	return { bytes: logged.bodyBytes, sha256: hash.digest('hex') };
}
