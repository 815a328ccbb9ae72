import type { IBinaryData, IExecuteSingleFunctions, INodeExecutionData } from 'n8n-workflow';

import { isJson, type Json } from '../shared/http/json';
import type { Upload } from '../shared/http/request';
import type { Call } from '../shared/node/call';
import { tidyRecord } from '../shared/node/collection';
import type { Output } from '../shared/node/operation';
import { withoutEnvelope } from '../shared/node/outputs';
import { withExtension } from './fileTypes';
import { emptyParameter, fileName, invalid } from '../shared/node/validators';
import { isBlank } from '../shared/node/values';

/**
 * Uploads the file in the item's binary field (docs/maintainers/services.md, "Link Management: requests"). A file that
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
			const record = tidyRecord(undefined, { name: label, ...withoutEnvelope(response) });
			return { records: [record] };
		};
	},
};

/** @throws InputError if the item doesn't have the file, or the file's name can't be used */
function findFile(call: Call) {
	const binary = fileOf(call);
	const chosen = call.inputs.path.fileName?.value;
	const named = isBlank(binary.fileName) ? 'file' : binary.fileName;
	const name = withExtension(chosen ?? fileName(named, 'File Name'), binary, chosen !== undefined);
	return { binary, name };
}

/**
 * The file in the field that the user named, or that an expression returned, as n8n's own nodes find it. If
 * the field's name wasn't changed, the item's only file is meant.
 *
 * @throws InputError if there's none
 */
function fileOf(call: Call): IBinaryData {
	const { context } = call;
	const given = call.parameter<unknown>('binaryPropertyName', DEFAULT_FIELD);
	if (isBlank(given)) throw emptyParameter('Input Binary Field');
	const field = typeof given === 'string' ? given.trim() : given;
	const { binary, json } = (context.getInputData() ?? {}) as Partial<INodeExecutionData>;
	// The workflow setting "Binary Mode: Combined" keeps files in the JSON.
	const kept = json?.[COMBINED];
	const files: Json = binary ?? (isJson(kept) ? kept : {});
	const [only, ...others] = Object.values(files);
	if (field === DEFAULT_FIELD && others.length === 0 && isFile(only)) return only;
	const found = files[String(field)] ?? foundByN8n(context, field);
	if (isFile(found)) return found;
	const names = Object.keys(files)
		.filter((name) => isFile(files[name]))
		.join(', ');
	throw invalid(
		given,
		'Input Binary Field',
		'must be a file, or the name of a field that has one',
		names === ''
			? "The item has no files. Add a node before this one that reads or downloads the file. An agent can't pass files to a tool."
			: `The item has no file there. Enter one of the fields that have a file: ${names}.`,
	);
}

const DEFAULT_FIELD = 'data';
const COMBINED = '_files';

function foundByN8n({ helpers }: IExecuteSingleFunctions, given: unknown): unknown {
	try {
		return helpers.assertBinaryData(given as string);
	} catch {
		// The errors above know more about the item.
		return undefined;
	}
}

/** A file that a Code node has made may lack the type, or have a buffer instead of Base64 text, which isn't a file. */
function isFile(value: unknown): value is IBinaryData {
	return isJson(value) && (typeof value.data === 'string' || typeof value.id === 'string');
}

/** n8n would read a file of exactly this type, which its Webhook node can keep, as the fields of a form. */
const FORM = 'application/x-www-form-urlencoded';

async function openUpload(
	{ helpers }: IExecuteSingleFunctions,
	{ id, data, mimeType }: IBinaryData,
): Promise<Upload> {
	const type = mimeType || 'application/octet-stream';
	const contentType = type === FORM ? `${FORM}; charset=utf-8` : type;
	if (!id) {
		const content = Buffer.from(data.replace(/^data:[^,]*,/, ''), 'base64');
		return { content, contentType, size: content.length };
	}
	const { fileSize } = await helpers.getBinaryMetadata(id);
	const stream = await helpers.getBinaryStream(id);
	return { content: stream, contentType, size: fileSize, release: () => void stream.destroy() };
}
