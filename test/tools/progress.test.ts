import { downloadProgress } from '../../tools/host/progress';

const FROM_NETWORK = 'npm http fetch GET 200 https://registry.example/a/-/a-1.0.0.tgz 12ms';
const FROM_CACHE = 'npm http cache https://registry.example/b/-/b-1.0.0.tgz 0ms (cache hit)';

function reportsFor(lines: string[]): string[] {
	const reports: string[] = [];
	const onLine = downloadProgress(2000, (text) => reports.push(text));
	for (const line of lines) onLine(line);
	return reports;
}

function repeated(lines: string[], times: number): string[] {
	return Array.from({ length: times }, () => lines).flat();
}

describe('the progress of a download', () => {
	it('counts packages from the network and from npm’s cache', () => {
		expect(reportsFor(repeated([FROM_NETWORK, FROM_CACHE], 125))).toEqual([
			'100 of about 2000 packages',
			'200 of about 2000 packages',
		]);
	});

	it('ignores everything else npm says', () => {
		const others = [
			'npm http fetch GET 200 https://registry.example/a 8ms',
			'npm warn deprecated a@1.0.0: use b',
			'added 10 packages in 1s',
		];
		expect(reportsFor(repeated(others, 100))).toEqual([]);
	});
});
