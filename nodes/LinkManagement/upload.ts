import type { IBinaryData, IExecuteSingleFunctions } from 'n8n-workflow';

import { InputError } from '../shared/http/inputError';
import type { Upload } from '../shared/http/request';
import { tidyRecord } from '../shared/node/collection';
import type { OperationCall, Output } from '../shared/node/operation';
import { withoutEnvelope } from '../shared/node/outputs';
import {
	emptyParameter,
	fileName,
	isBlank,
	text,
	validateOrThrow,
} from '../shared/node/validators';

/**
 * Uploads the file in the item's binary field (docs/services.md, "Link Management: requests"). A file that
 * n8n stores outside the item is streamed, and every attempt opens a new stream.
 */
export const uploadFile: Output = {
	fields: { id: 'integer', name: 'string', shorturl: 'string' },
	prepare(call) {
		const { binary, name } = findFile(call);
		return async (request) => {
			const response = await call.send({
				...request,
				values: { fileName: name },
				upload: async () => await openUpload(call.context, binary),
			});
			// The list of files shows the label as `name`, so this does as well.
			const label = call.inputs.query.name ?? name;
			return [tidyRecord(undefined, { name: label, ...withoutEnvelope(response) })];
		};
	},
};

/** @throws InputError if the item doesn't have the file, or the file's name can't be used */
function findFile(call: OperationCall) {
	const given = call.parameter<unknown>('binaryPropertyName', 'data');
	if (isBlank(given)) throw emptyParameter('Input Binary Field');
	const binary = binaryOf(call.context, validateOrThrow(text, given, 'Input Binary Field'));
	const ownName = isBlank(binary.fileName) ? defaultName(binary) : binary.fileName;
	const { fileName: entered } = call.inputs.path;
	return { binary, name: entered ?? validateOrThrow<string>(fileName, ownName, 'File Name') };
}

/** @throws InputError if the item doesn't have the file */
function binaryOf(context: IExecuteSingleFunctions, field: string): IBinaryData {
	const files = context.getInputData().binary ?? {};
	const file = Object.hasOwn(files, field) ? files[field] : undefined;
	if (file) return file;
	const others = Object.keys(files);
	throw new InputError(
		`The item has no file in field '${field}'`,
		others.length > 0
			? `In "Input Binary Field", enter one of the fields that have a file: ${others.join(', ')}.`
			: 'The item has no files at all. Add a node before this one that reads or downloads the file.',
	);
}

function defaultName({ fileExtension }: IBinaryData): string {
	return fileExtension ? `file.${fileExtension}` : 'file';
}

async function openUpload(
	{ helpers }: IExecuteSingleFunctions,
	{ id, data, mimeType }: IBinaryData,
): Promise<Upload> {
	const contentType = mimeType || 'application/octet-stream';
	if (!id) {
		const content = Buffer.from(data, 'base64');
		return { content, contentType, size: content.length };
	}
	const { fileSize } = await helpers.getBinaryMetadata(id);
	const stream = await helpers.getBinaryStream(id);
	return { content: stream, contentType, size: fileSize, release: () => void stream.destroy() };
}
