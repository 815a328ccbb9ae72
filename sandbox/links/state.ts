import { found } from '../shared/checks';
import { SeededRandom, toDate, toDateTime } from '../shared/data';
import { ACCOUNT, aliasOf, generate, generateItems, SHORT_HOST } from './generated';
import type * as record from './records';
import { RowStore } from './rowStore';
import type { LinkSettings, StoredList } from './settings';

interface Assignment {
	type: record.ItemType;
	id: number;
}

/** Everything in the account, and what visitors, uploads and other users do to it. */
export class LinkState {
	readonly account: record.Account = { ...ACCOUNT };
	readonly domains: RowStore<record.Domain>;
	readonly overlays: RowStore<record.Overlay>;
	readonly campaigns: RowStore<record.Campaign>;
	readonly channels: RowStore<record.Channel>;
	readonly splash: RowStore<record.SplashPage>;
	readonly files: RowStore<record.StoredFile>;
	readonly pixels: RowStore<record.Pixel>;
	readonly qrs: RowStore<record.QrCode>;
	readonly links: RowStore<record.ShortLink>;
	readonly bios: RowStore<record.ShortLink>;
	private readonly assignments = new Map<number, Assignment[]>();

	constructor(
		private readonly counts: LinkSettings['counts'],
		private readonly now: () => number,
	) {
		this.domains = new RowStore(counts.domains, generate.domains);
		this.overlays = new RowStore(counts.overlays, generate.overlays);
		this.campaigns = new RowStore(counts.campaigns, generate.campaigns);
		this.channels = new RowStore(counts.channels, generate.channels);
		this.splash = new RowStore(counts.splash, generate.splash);
		this.files = new RowStore<record.StoredFile>(counts.files, generate.files);
		this.pixels = new RowStore(counts.pixels, generate.pixels);
		this.qrs = new RowStore(counts.qrs, generate.qrs);
		// The first channel's items must exist, regardless of the count.
		this.links = new RowStore(Math.max(counts.links, counts.items), generate.links);
		this.bios = new RowStore(counts.bios, generate.bios);
	}

	/** The date of a record that is created now. */
	dateTime(): string {
		return toDateTime(this.now());
	}

	/** The record as the file list shows it. */
	fileView({ id, name, downloads, shorturl, date }: record.StoredFile): record.FileRecord {
		return { id, name, downloads, shorturl, date };
	}

	/** Adds a file as an upload does; `alias` and `host` default to the service's own choice. */
	addFile(
		fields: Partial<Omit<record.StoredFile, 'id'>> = {},
		alias?: string,
		host: string = SHORT_HOST,
	): record.FileRecord {
		const stored = this.files.insert((id) => ({
			id,
			name: `file-${id}.txt`,
			downloads: 0,
			shorturl: `${host}/${alias ?? aliasOf(new SeededRandom(`uploaded file ${id}`))}`,
			date: this.dateTime(),
			...fields,
		}));
		return this.fileView(stored);
	}

	/** Counts downloads of a file; returns the new count. */
	download(id: number, times = 1): number {
		return (found(this.files.get(id), `There is no file ${id}`).downloads += times);
	}

	addQr(fields: Partial<Omit<record.QrCode, 'id'>> = {}): record.QrCode {
		return this.qrs.insertGenerated({ scans: 0, date: this.dateTime(), ...fields });
	}

	/** Scans a QR code; returns the new count. */
	scan(id: number, times = 1): number {
		return (found(this.qrs.get(id), `There is no QR code ${id}`).scans += times);
	}

	/** Puts the item into the channel unless it is there. */
	addItem(channelId: number, { type, id }: Assignment): void {
		found(this.channels.has(channelId), 'Channel does not exist');
		found(this.itemStore(type).has(id), 'Item does not exist');
		const assigned = this.assignmentsOf(channelId);
		const isNew = !assigned.some((other) => other.type === type && other.id === id);
		if (isNew) assigned.push({ type, id });
	}

	/** Adds a generated row with the given fields to any list. */
	addRow(list: StoredList, fields: Record<string, unknown> = {}): { id: number } {
		return this.store(list).insertGenerated(fields);
	}

	deleteRow(list: StoredList, id: number, missing = `There is no row of ${list} ${id}`): void {
		found(this.store(list).delete(id), missing);
		if (list === 'channels') this.assignments.delete(id);
	}

	/** The items of a channel, oldest assignment first; items whose record was deleted are left out. */
	channelItems(channelId: number): record.ChannelItem[] {
		return this.assignmentsOf(channelId).flatMap((assignment) => this.itemView(assignment));
	}

	/** A list's rows, of any resource. */
	store(list: StoredList): RowStore<{ id: number }> {
		return this[list] as unknown as RowStore<{ id: number }>;
	}

	private itemStore(type: record.ItemType): RowStore<record.ShortLink> | RowStore<record.QrCode> {
		return { links: this.links, bio: this.bios, qr: this.qrs }[type];
	}

	private itemView({ type, id }: Assignment): record.ChannelItem[] {
		if (type === 'qr') {
			const qr = this.qrs.get(id);
			if (!qr) return [];
			const date = toDate(Date.parse(`${qr.date.replace(' ', 'T')}Z`));
			return [{ type, id, title: qr.name, preview: `${qr.link}.png`, link: qr.link, date }];
		}
		const row = (type === 'bio' ? this.bios : this.links).get(id);
		if (!row) return [];
		const { title, preview, link, date } = row;
		return [{ type, id, title, preview, link, date }];
	}

	private assignmentsOf(channelId: number): Assignment[] {
		const generated = channelId <= this.counts.channels;
		const items =
			this.assignments.get(channelId) ?? (generated ? generateItems(channelId, this.counts) : []);
		this.assignments.set(channelId, items);
		return items;
	}
}
