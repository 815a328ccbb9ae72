import { createHash } from 'crypto';

const DIGEST_LENGTH = 16;

/** A short text that differs for different data and does not reveal them. */
export function digestOf(data: unknown): string {
	return createHash('sha256').update(JSON.stringify(data)).digest('hex').slice(0, DIGEST_LENGTH);
}
