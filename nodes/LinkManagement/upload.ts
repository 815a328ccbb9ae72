import type { IBinaryData, IExecuteSingleFunctions } from 'n8n-workflow';
import { z } from 'zod';

import type { Output } from '../shared/node/endpoint';
import type { Upload } from '../shared/http/sendRequest';
import { InputError } from '../shared/http/errors';
import { field } from '../shared/node/recordSchema';
import { withoutEnvelope } from '../shared/node/outputs';
import { emptyParameter, fileName, isBlank, required } from '../shared/node/validators';

function uploadedFile() {
	return z.object({ id: field.id(), shorturl: field.text() });
}

/**
 * Uploads the file in the item's binary field (docs/services.md, "Link Management: requests"). The
 * content is streamed from where n8n stores it; every attempt opens its own stream.
 */
export const uploaded: Output = {
	schema: uploadedFile,
	async run(request, call) {
		const field = call.parameter('binaryPropertyName', 'data');
		if (isBlank(field)) throw emptyParameter('Input Binary Field');
		const binary = binaryOf(call.context, field);
		const name =
			call.inputs.path.fileName ??
			required<string>(fileName, binary.fileName ?? defaultName(binary), 'File Name');
		const response = await call.send({
			...request,
			values: { fileName: name },
			upload: async () => await openUpload(call.context, binary),
		});
		return [withoutEnvelope(response)];
	},
};

/** n8n finds the file wherever the workflow stores binary data, and throws when there is none. */
function binaryOf(context: IExecuteSingleFunctions, field: string): IBinaryData {
	try {
		return context.helpers.assertBinaryData(field);
	} catch {
		throw noFileUnder(field);
	}
}

function noFileUnder(field: string): InputError {
	return new InputError(
		`The parameter "Input Binary Field" is "${field}", but the item has no file in that field`,
		'Enter a field that the Binary tab of the input shows, or add a node before this one that reads or downloads the file.',
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
