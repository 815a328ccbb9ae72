import type { IRunData, ITaskData } from 'n8n-workflow';
import { nodeTable, recordsOf, recordTable, summarizeRun } from '../../tools/cli/tables';

function taskData(executionIndex: number, executionTime: number, ids: number[][]): ITaskData {
	return {
		startTime: 0,
		executionIndex,
		executionTime,
		source: [],
		data: { main: ids.map((output) => output.map((id) => ({ json: { id } }))) },
	};
}

const RUN_DATA: IRunData = {
	Second: [taskData(1, 1500, [[1, 2], [3]]), taskData(2, 500, [[4]])],
	First: [taskData(0, 0, [[0]])],
};

describe('the summary of an execution', () => {
	it('lists the nodes in the order in which they ran', () => {
		expect(summarizeRun(RUN_DATA).map(({ name }) => name)).toEqual(['First', 'Second']);
	});

	it('adds up items and time over all outputs and runs', () => {
		expect(summarizeRun(RUN_DATA)[1]).toEqual({ name: 'Second', items: 4, duration: 2000 });
	});

	it('counts nothing for a node that failed', () => {
		const failed = { ...taskData(0, 5, []), data: undefined };
		expect(summarizeRun({ Failed: [failed] })).toEqual([{ name: 'Failed', items: 0, duration: 5 }]);
	});

	it('finds the records of a node', () => {
		expect(recordsOf(RUN_DATA, 'Second')).toEqual([{ id: 1 }, { id: 2 }, { id: 3 }, { id: 4 }]);
		expect(recordsOf(RUN_DATA, 'Missing')).toEqual([]);
	});
});

describe('the tables of a run', () => {
	it('show a line for each node', () => {
		const table = nodeTable([{ name: 'Create a campaign', items: 6, duration: 1234 }]);
		expect(table).toContain('│ Create a campaign │     6 │ 1.2 s │');
	});

	it('show the first records and the number of others', () => {
		const records = Array.from({ length: 7 }, (_, id) => ({ id }));
		const table = recordTable(records);
		expect(table).toContain('│ 4  │');
		expect(table).not.toContain('│ 5  │');
		expect(table).toContain('… and 2 more');
	});

	it('leave out fields without a simple value, and cut long ones', () => {
		const table = recordTable([{ id: 1, tags: ['a'], name: 'x'.repeat(60) }]);
		expect(table).not.toContain('tags');
		expect(table).toContain(`${'x'.repeat(39)}…`);
	});
});
