import { timeLimit } from '../../tools/timeLimits';
import { measureTimeLimitFactor } from '../../tools/timeLimits/measure';

describe('time limits', () => {
	const { TIME_LIMIT_FACTOR } = process.env;

	afterEach(() => {
		process.env.TIME_LIMIT_FACTOR = TIME_LIMIT_FACTOR;
	});

	it('grow with the measured factor', () => {
		process.env.TIME_LIMIT_FACTOR = '8';
		expect(timeLimit(60_000)).toBe(480_000);
	});

	it('are never shorter than on the reference machine', () => {
		process.env.TIME_LIMIT_FACTOR = '0.5';
		expect(timeLimit(60_000)).toBe(60_000);
		process.env.TIME_LIMIT_FACTOR = 'fast';
		expect(timeLimit(60_000)).toBe(60_000);
		delete process.env.TIME_LIMIT_FACTOR;
		expect(timeLimit(60_000)).toBe(60_000);
	});

	it('follow a factor between 1 and 20', () => {
		const factor = measureTimeLimitFactor();
		expect(factor).toBeGreaterThanOrEqual(1);
		expect(factor).toBeLessThanOrEqual(20);
	});
});
