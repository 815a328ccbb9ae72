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
		return newRows({
			list: watchedList(channelItems, { values: { channelId }, scope: channelId, key: rowKey }),
			event: (item) => item,
			none: new InputError(
				'The channel has no items yet',
				'Add an item to the channel, e.g. with the Link Management node, then select Fetch Test Event again.',
			),
		});
	},
};
