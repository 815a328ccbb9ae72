import { Module } from 'node:module';

interface Loader {
	/** Node looks for a file by these endings, in their order. */
	_extensions: Record<string, unknown>;
}

// An import of `LinkManagement.node` means the source beside the codex file LinkManagement.node.json,
// which Node would find first.
const { _extensions: extensions } = Module as unknown as Loader;
const { '.json': json } = extensions;
delete extensions['.json'];
extensions['.json'] = json;
