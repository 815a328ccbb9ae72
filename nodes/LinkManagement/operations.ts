import type { Collection, RecordSchema } from '../shared/node/collection';
import { endpoint, type OperationOption } from '../shared/node/operation';
import { createRecord, deleteRecord, listRecords, updateRecord } from '../shared/node/outputs';
import { changedRecord, newRecord } from './api';
import { getFromList, type Kind } from './lookup';
import { createOrUpdate, createPath, type Identity } from './upsert';

/**
 * The operation Get Many.
 *
 * @param plural what the list has, e.g. `campaigns`
 * @param counted what the service counts for each, e.g. `download`
 */
export function getMany(list: Collection, plural: string, counted?: string): OperationOption {
	const [inAction, inText] = counted
		? [` with ${counted}s`, ` with their ${counted} counts`]
		: ['', ''];
	return {
		name: 'Get Many',
		value: 'getAll',
		action: `Get many ${plural}${inAction}`,
		description: `List the ${plural} in the account${inText}`,
		routing: endpoint('GET', list.path, listRecords(list)),
	};
}

/** What only the kind itself can say about its operations. */
interface KindOperations {
	/** What users call a record. Default: the API's noun */
	called?: string;
	create: string;
	update: string;
	delete?: string;
	/** What a create and an update return. Default: the ID, and a message */
	returned?: { create?: RecordSchema; update?: RecordSchema };
	identity: Identity;
	/** Operations that only this kind has. */
	others?: OperationOption[];
}

/** The operations that all kinds have, whose paths begin with the kind's noun, e.g. `/api/campaign/add`. */
export function operationsOf(kind: Kind, own: KindOperations): OperationOption[] {
	const { noun, collection } = kind;
	const { called = noun, returned = {}, others = [] } = own;
	const record = `/api/${noun}/:${noun}Id`;
	const created = createRecord(returned.create ?? newRecord);
	const updated = updateRecord(returned.update ?? changedRecord);
	const operations: OperationOption[] = [
		{
			name: 'Create',
			value: 'create',
			action: `Create ${called}`,
			description: own.create,
			routing: endpoint('POST', createPath(kind), created),
		},
		{
			name: 'Delete',
			value: 'delete',
			action: `Delete ${called}`,
			description: own.delete ?? `Delete a ${called}`,
			routing: endpoint('DELETE', `${record}/delete`, deleteRecord),
		},
		{
			name: 'Update',
			value: 'update',
			action: `Update ${called}`,
			description: own.update,
			routing: endpoint('PUT', `${record}/update`, updated),
		},
		createOrUpdate(kind, own.identity),
		getFromList(kind, called),
		getMany(collection, `${called}s`),
		...others,
	];
	return operations.sort((one, other) => one.name.localeCompare(other.name));
}
