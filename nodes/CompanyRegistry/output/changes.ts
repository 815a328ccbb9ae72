import { normalText } from '../../shared/node/texts';

/** Whether a user would call two values equal, whatever their types. */
export function isSameValue(a: unknown, b: unknown): boolean {
	const [x, y] = [comparable(a), comparable(b)];
	if (x === y) return true;
	const hasNumber = typeof a === 'number' || typeof b === 'number';
	return hasNumber && x !== '' && y !== '' && Number(x) === Number(y);
}

/** Text, because a spreadsheet and a database store the same value as different types. */
function comparable(value: unknown): string {
	if (value === null || value === undefined) return '';
	const text = typeof value === 'object' ? JSON.stringify(value) : normalText(String(value));
	return text.replace(/\s+/gu, ' ');
}
