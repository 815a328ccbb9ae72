import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** A line of a file in the folder `pairs`: `left ~ right | more`, below the heading `# section`. */
export interface Line {
	section: string;
	left: string;
	right: string;
	more: string;
}

/** @param only a section; default: all of them */
export function linesOf(file: string, only?: string): Line[] {
	let section = '';
	const lines = readFileSync(join(__dirname, 'pairs', file), 'utf8').split('\n');
	return lines.flatMap((line) => {
		if (line.startsWith('# ')) section = line.slice(2);
		const [, left = '', right = '', more = ''] = /^(.*?) ~ (.*?)(?: \| (.*))?$/.exec(line) ?? [];
		const isWanted = right !== '' && section !== '' && section === (only ?? section);
		return isWanted ? [{ section, left, right, more }] : [];
	});
}

/** Each of a line's alternatives, which semicolons separate on the right, with what's on the left. */
export function alternativesOf(
	file: string,
	section: string,
): Array<[left: string, right: string]> {
	return linesOf(file, section).flatMap(({ left, right }) =>
		right.split('; ').map((each): [string, string] => [left, each]),
	);
}
