import { LogTail } from '../../tools/host/logTail';

describe('the end of a log', () => {
	it('keeps the newest lines', () => {
		const tail = new LogTail();
		for (let i = 1; i <= 100; i++) tail.add(`line ${i}`);
		const lines = tail.text().split('\n');
		expect(lines.at(0)).toBe('line 41');
		expect(lines.at(-1)).toBe('line 100');
	});

	it('contains no colors and cursor movements', () => {
		const tail = new LogTail();
		tail.add('\u001b[31mred\u001b[0m');
		expect(tail.text()).toBe('red');
	});
});
