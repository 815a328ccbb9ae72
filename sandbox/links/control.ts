import { ServiceError } from '../shared/errors';
import type { FileRecord, QrCode, StoredFile } from './records';
import type { RowStore } from './rowStore';
import type { ListName } from './settings';
import type { LinkState } from './state';

/** The lists whose rows can be added and deleted from outside. */
export type StoredList = Exclude<ListName, 'items'>;

/** What happens to the account without the API: visitors, uploads in the browser, colleagues. */
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
		const file = found(this.state().files.get(id), 'file', id);
		file.downloads += times;
		return file.downloads;
	}

	addQr(fields: Partial<Omit<QrCode, 'id'>> = {}): QrCode {
		return this.state().qrs.insertGenerated({
			scans: 0,
			date: this.state().dateTime(),
			...fields,
		});
	}

	deleteQr(id: number): void {
		this.deleteRow('qrs', id);
	}

	/** Scans a QR code; returns the new count. */
	scan(id: number, times = 1): number {
		return this.setScans(id, this.qr(id).scans + times);
	}

	setScans(id: number, scans: number): number {
		this.qr(id).scans = scans;
		return scans;
	}

	/** Sets the counts of all QR codes to 0. */
	resetScans(): void {
		for (const qr of this.state().qrs.all()) qr.scans = 0;
	}

	/** Adds a generated row with the given fields to any list. */
	addRow(list: StoredList, fields: Record<string, unknown> = {}): { id: number } {
		return this.store(list).insertGenerated(fields);
	}

	deleteRow(list: StoredList, id: number): void {
		const deleted =
			list === 'channels' ? this.state().deleteChannel(id) : this.store(list).delete(id);
		found(deleted || undefined, `row of ${list}`, id);
	}

	private store(list: StoredList): RowStore<{ id: number }> {
		return this.state()[list] as unknown as RowStore<{ id: number }>;
	}

	private qr(id: number): QrCode {
		return found(this.state().qrs.get(id), 'QR code', id);
	}
}

function found<T>(record: T | undefined, what: string, id: number): T {
	if (record === undefined) throw new ServiceError('notFound', `There is no ${what} ${id}`);
	return record;
}
