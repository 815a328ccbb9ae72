import { found } from '../shared/checks';
import type { ChannelItem, FileRecord, QrCode, StoredFile } from './records';
import type { RowStore } from './rowStore';
import type { StoredList } from './settings';
import type { LinkState } from './state';

/** Changes that don't go through the API: visitors, uploads in the browser, other users. */
export class LinkControl {
	constructor(private readonly state: () => LinkState) {}

	/** A file that another user uploads. */
	addFile(fields: Partial<Omit<StoredFile, 'id'>> = {}): FileRecord {
		return this.state().fileView(this.state().addFile(fields));
	}

	deleteFile(id: number): void {
		this.deleteRow('files', id);
	}

	/** Counts downloads of a file; returns the new count. */
	download(id: number, times = 1): number {
		return (found(this.state().files.get(id), `There is no file ${id}`).downloads += times);
	}

	addQr(fields: Partial<Omit<QrCode, 'id'>> = {}): QrCode {
		const date = this.state().dateTime();
		return this.state().qrs.insertGenerated({ scans: 0, date, ...fields });
	}

	deleteQr(id: number): void {
		this.deleteRow('qrs', id);
	}

	/** Scans a QR code; returns the new count. */
	scan(id: number, times = 1): number {
		return (this.qr(id).scans += times);
	}

	setScans(id: number, scans: number): number {
		return (this.qr(id).scans = scans);
	}

	/** Sets the counts of all QR codes to 0. */
	resetScans(): void {
		for (const qr of this.state().qrs.all()) qr.scans = 0;
	}

	/** Puts an item into a channel, as a colleague does in the browser. */
	addItem(channelId: number, { type, id }: Pick<ChannelItem, 'type' | 'id'>): void {
		found(this.state().channels.has(channelId), `There is no channel ${channelId}`);
		found(this.state().assign(channelId, type, id), `There is no item ${type} ${id}`);
	}

	removeItem(channelId: number, { type, id }: Pick<ChannelItem, 'type' | 'id'>): void {
		found(this.state().unassign(channelId, type, id), `Channel ${channelId} has no ${type} ${id}`);
	}

	/** Adds a generated row with the given fields to any list. */
	addRow(list: StoredList, fields: Record<string, unknown> = {}): { id: number } {
		return this.store(list).insertGenerated(fields);
	}

	deleteRow(list: StoredList, id: number): void {
		const state = this.state();
		const deleted = list === 'channels' ? state.deleteChannel(id) : this.store(list).delete(id);
		found(deleted, `There is no row of ${list} ${id}`);
	}

	private store(list: StoredList): RowStore<{ id: number }> {
		return this.state()[list] as unknown as RowStore<{ id: number }>;
	}

	private qr(id: number): QrCode {
		return found(this.state().qrs.get(id), `There is no QR code ${id}`);
	}
}
