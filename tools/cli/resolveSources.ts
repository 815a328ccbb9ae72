import { Module } from 'node:module';

interface Loader {
	/** Node tries these extensions in this order. */
	_extensions: Record<string, unknown>;
}

// An import of `LinkManagement.node` means LinkManagement.node.ts. Node would find the codex file
// LinkManagement.node.json first.
const { _extensions: extensions } = Module as unknown as Loader;
const { '.json': json } = extensions;
delete extensions['.json'];
extensions['.json'] = json;
