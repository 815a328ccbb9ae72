import { isJson } from '../shared/http/envelope';
import { ServiceError } from '../shared/http/errors';
import type { TriggerEvents } from '../shared/poll/event';

const TRY_AGAIN_LATER = ['temporarily-unavailable', 'rate-limited', 'quota-exhausted'];

/** The id of the key's account (docs/services.md, "Link Management: requests"). */
export const accountId: TriggerEvents['account'] = async (send) => {
	const body = await send({ method: 'GET', path: '/api/account' }).catch((error: unknown) => {
		const cause = error instanceof ServiceError ? error.failure?.cause : undefined;
		if (!(error instanceof ServiceError) || TRY_AGAIN_LATER.includes(cause ?? '')) throw error;
	});
	const record = isJson(body) && isJson(body.data) ? body.data : body;
	const id = isJson(record) ? record.id : undefined;
	return typeof id === 'number' || typeof id === 'string' ? String(id) : undefined;
};
