import { SeededRandom, toDate, toDateTime } from '../shared/data';
import { ACCOUNT, aliasOf, generate, generateItems, SHORT_HOST } from './generated';
import type {
	Account,
	Campaign,
	Channel,
	ChannelItem,
	Domain,
	FileRecord,
	ItemType,
	Overlay,
	Pixel,
	QrCode,
	ShortLink,
	SplashPage,
	StoredFile,
} from './records';
import { RowStore } from './rowStore';
import type { LinkSettings } from './settings';

interface Assignment {
	type: ItemType;
	id: number;
}

/** Everything the account owns. */
export class LinkState {
	readonly account: Account = { ...ACCOUNT };
	/** Set by the account update; nothing reads it back. */
	password: string | undefined;
	readonly domains: RowStore<Domain>;
	readonly overlays: RowStore<Overlay>;
	readonly campaigns: RowStore<Campaign>;
	readonly channels: RowStore<Channel>;
	readonly splash: RowStore<SplashPage>;
	readonly files: RowStore<StoredFile>;
	readonly pixels: RowStore<Pixel>;
	readonly qrs: RowStore<QrCode>;
	readonly links: RowStore<ShortLink>;
	readonly bios: RowStore<ShortLink>;
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
		this.files = new RowStore<StoredFile>(counts.files, generate.files);
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
	fileView({ id, name, downloads, shorturl, date }: StoredFile): FileRecord {
		return { id, name, downloads, shorturl, date };
	}

	/** Adds a file as an upload does; `alias` and `host` default to the service's own choice. */
	addFile(
		fields: Partial<Omit<StoredFile, 'id'>>,
		alias?: string,
		host: string = SHORT_HOST,
	): StoredFile {
		return this.files.insert((id) => ({
			id,
			name: `file-${id}.txt`,
			downloads: 0,
			shorturl: `${host}/${alias ?? aliasOf(new SeededRandom(`uploaded file ${id}`))}`,
			date: this.dateTime(),
			...fields,
		}));
	}

	/** The items of a channel, oldest assignment first; items whose record was deleted are left out. */
	channelItems(channelId: number): ChannelItem[] {
		return this.assignmentsOf(channelId).flatMap((assignment) => this.itemView(assignment));
	}

	/** Puts the item into the channel unless it is there. False if there is no such item. */
	assign(channelId: number, type: ItemType, id: number): boolean {
		if (!this.itemStore(type).has(id)) return false;
		const assigned = this.assignmentsOf(channelId);
		const isNew = !assigned.some((other) => other.type === type && other.id === id);
		if (isNew) assigned.push({ type, id });
		return true;
	}

	/** False if the item was not in the channel. */
	unassign(channelId: number, type: ItemType, id: number): boolean {
		const assigned = this.assignmentsOf(channelId);
		const rest = assigned.filter((other) => other.type !== type || other.id !== id);
		this.assignments.set(channelId, rest);
		return rest.length < assigned.length;
	}

	/** Deletes the channel and unassigns all its items. */
	deleteChannel(id: number): boolean {
		this.assignments.delete(id);
		return this.channels.delete(id);
	}

	private itemStore(type: ItemType): RowStore<ShortLink> | RowStore<QrCode> {
		return { links: this.links, bio: this.bios, qr: this.qrs }[type];
	}

	private itemView({ type, id }: Assignment): ChannelItem[] {
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
