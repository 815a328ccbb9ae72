import { stripVTControlCharacters } from 'node:util';

const KEPT_LINES = 60;

/** Keeps the last lines of a program's output, to show them if it fails. */
export class LogTail {
	private readonly lines: string[] = [];

	add(line: string): void {
		this.lines.push(stripVTControlCharacters(line));
		if (this.lines.length > KEPT_LINES) this.lines.shift();
	}

	text(): string {
		return this.lines.join('\n');
	}
}
