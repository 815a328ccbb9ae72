import { formatDuration } from '../../tools/host/duration';
import { downloadProgress } from '../../tools/host/progress';

const FETCHED = 'npm http fetch GET 200 https://registry.example/a/-/a-1.0.0.tgz 12ms';

describe("the progress of n8n's download", () => {
	let clock: number;
	let reports: string[];
	let onLine: (line: string) => void;

	beforeEach(() => {
		clock = 0;
		reports = [];
		onLine = downloadProgress(
			2400,
			(text) => reports.push(text),
			() => clock,
		);
	});

	function fetchPackages(count: number, msEach: number) {
		for (let i = 0; i < count; i++) {
			clock += msEach;
			onLine(FETCHED);
		}
	}

	it('is reported every hundred packages', () => {
		fetchPackages(250, 10);
		expect(reports).toEqual([
			'downloaded 100 of about 2400 packages',
			'downloaded 200 of about 2400 packages',
		]);
	});

	it('has an estimate once enough packages have arrived', () => {
		fetchPackages(1200, 100);
		expect(reports.at(-1)).toBe('downloaded 1200 of about 2400 packages, about 2 min left');
		fetchPackages(1000, 100);
		expect(reports.at(-1)).toBe('downloaded 2200 of about 2400 packages, about 20 s left');
	});

	it('counts packages from the cache and nothing but packages', () => {
		for (let i = 0; i < 100; i++)
			onLine('npm http cache a@https://registry.example/a-1.0.0.tgz 0ms');
		onLine('npm http fetch GET 200 https://registry.example/a 12ms');
		expect(reports).toHaveLength(1);
	});
});

describe('a duration in words', () => {
	it.each([
		[0, '5 s'],
		[42_000, '40 s'],
		[89_000, '90 s'],
		[170_000, '3 min'],
		[3_600_000, '60 min'],
	])('%d ms: %s', (ms, words) => {
		expect(formatDuration(ms)).toBe(words);
	});
});
