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

test('the summary of an execution adds up items and time, in the order of the nodes', () => {
	const runData: IRunData = {
		Second: [taskData(1, 1500, [[1, 2], [3]]), taskData(2, 500, [[4]])],
		First: [taskData(0, 0, [[0]])],
		Failed: [{ ...taskData(3, 5, []), data: undefined }],
	};
	expect(summarizeRun(runData)).toEqual([
		{ name: 'First', items: 1, duration: 0 },
		{ name: 'Second', items: 4, duration: 2000 },
		{ name: 'Failed', items: 0, duration: 5 },
	]);
	expect(recordsOf(runData, 'Second')).toEqual([{ id: 1 }, { id: 2 }, { id: 3 }, { id: 4 }]);
	expect(recordsOf(runData, 'Missing')).toEqual([]);
});

test('the tables of a run show a line per node, and the first records', () => {
	const nodes = nodeTable([{ name: 'Create a campaign', items: 6, duration: 1234 }]);
	expect(nodes).toContain('│ Create a campaign │     6 │ 1.2 s │');
	const records = Array.from({ length: 7 }, (_, id) => ({ id, tags: ['a'], name: 'x'.repeat(60) }));
	const table = recordTable(records);
	expect(table).toContain(`│  4 │ ${'x'.repeat(39)}…`);
	expect(table).not.toMatch(/tags|│ {2}5 │/);
	expect(table).toContain('… and 2 more');
});
