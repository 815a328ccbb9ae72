import type { IDataObject, INodeParameters } from 'n8n-workflow';
import type { Sandbox } from '../../../sandbox';
import type { NodeDraft } from './workflows';

/** One operation of a node, run in n8n with these items. */
export interface OperationCase {
	resource: string;
	operation: string;
	/** The fields of the input items. */
	rows: IDataObject[];
	parameters: INodeParameters;
	/** A node between the items and the operation, e.g. one that makes files. */
	before?: NodeDraft;
	/** The output for each row; it may have more fields. */
	expected: (sandbox: Sandbox) => IDataObject[][];
	/** What the service must look like afterwards. */
	after?: (sandbox: Sandbox) => void;
}

/** A record chosen by the id in a field of the item. */
export function byId(field: string): INodeParameters {
	return { __rl: true, mode: 'id', value: `={{ $json.${field} }}` };
}
