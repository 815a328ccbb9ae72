import { downloadProgress } from '../../tools/host/progress';

function reportsFor(lines: string[]): string[] {
	const reports: string[] = [];
	const onLine = downloadProgress(10, (text) => reports.push(text));
	for (const line of lines) onLine(line);
	return reports;
}

describe('the progress of a download', () => {
	it('counts packages from the network and from npm’s cache', () => {
		const reports = reportsFor([
			'npm http fetch GET 200 https://registry.example/a/-/a-1.0.0.tgz 12ms (cache miss)',
			'npm http cache https://registry.example/b/-/b-1.0.0.tgz 0ms (cache hit)',
		]);
		expect(reports).toEqual(['1 of about 10 packages', '2 of about 10 packages']);
	});

	it('ignores everything else npm says', () => {
		expect(
			reportsFor([
				'npm http fetch GET 200 https://registry.example/a 8ms',
				'npm warn deprecated a@1.0.0: use b',
				'added 10 packages in 1s',
			]),
		).toEqual([]);
	});
});
