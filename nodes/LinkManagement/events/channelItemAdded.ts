import { isMissing, ServiceError } from '../../shared/http/errors';
import { InputError } from '../../shared/http/inputError';
import { rowKey } from '../../shared/http/pages';
import type { TriggerEvent } from '../../shared/poll/event';
import { newRows } from '../../shared/poll/newRows';
import { channelItemRecord, channelItems } from '../api';
import { watchedId, watchedRecord } from '../panel';
import { watchedList } from './list';

export const channelItemAdded: TriggerEvent = {
	name: 'Item Added to Channel',
	description: 'When a link, bio page or QR code is added to a channel',
	output: channelItemRecord.fields,
	fields: [watchedRecord({ displayName: 'Channel', name: 'channelId' }, 'searchChannels')],
	watch(parameter) {
		const channelId = watchedId(parameter<unknown>('channelId', ''), 'Channel');
		const list = watchedList(channelItems, {
			values: { channelId },
			scope: channelId,
			key: rowKey,
		});
		const missing = new ServiceError(`No channel has the ID ${channelId}`, {
			kind: 'notFound',
			description: 'In "Channel", select a channel from the list, or enter another ID.',
		});
		const page: typeof list.page = async (...asked) =>
			await list.page(...asked).catch((error: unknown) => {
				throw isMissing(error) ? missing : error;
			});
		return newRows({
			list: { ...list, page },
			event: (item) => item,
			none: new InputError(
				'The channel has no items yet',
				'Add an item to the channel, e.g. with the Link Management node, then select Fetch Test Event again.',
			),
		});
	},
};
