import { toDate, toDateTime } from '../shared/dates';
import { SeededRandom } from '../shared/random';
import { aliasOf, generate, SHORT_HOST } from './data';
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
	readonly account: Account = generate.account();
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
		this.domains = new RowStore(counts.domains, generate.domain);
		this.overlays = new RowStore(counts.overlays, (id) => generate.overlay(id, counts.overlays));
		this.campaigns = new RowStore(counts.campaigns, generate.campaign);
		this.channels = new RowStore(counts.channels, generate.channel);
		this.splash = new RowStore(counts.splash, (id) => generate.splashPage(id, counts.splash));
		this.files = new RowStore<StoredFile>(counts.files, (id) => generate.file(id, counts.files));
		this.pixels = new RowStore(counts.pixels, (id) => generate.pixel(id, counts.pixels));
		this.qrs = new RowStore(counts.qrs, (id) => generate.qrCode(id, counts.qrs));
		// The first channel's items must exist, regardless of the count.
		const links = Math.max(counts.links, counts.items);
		this.links = new RowStore(links, (id) => generate.shortLink(id, links));
		this.bios = new RowStore(counts.bios, (id) => generate.bio(id, counts.bios));
	}

	/** The time a record made now carries. */
	dateTime(): string {
		return toDateTime(this.now());
	}

	/** The record as the file list shows it. */
	fileView(file: StoredFile): FileRecord {
		const { id, name, downloads, shorturl, date } = file;
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

	/** The items of a channel, oldest assignment first; those whose record is gone are left out. */
	channelItems(channelId: number): ChannelItem[] {
		return this.assignmentsOf(channelId)
			.map((assignment) => this.itemView(assignment))
			.filter((item) => item !== undefined);
	}

	/** Puts the item in the channel; once is enough. False if there is no such item. */
	assign(channelId: number, type: ItemType, id: number): boolean {
		if (!this.itemStore(type).has(id)) return false;
		const assigned = this.assignmentsOf(channelId);
		if (!assigned.some((other) => other.type === type && other.id === id)) {
			assigned.push({ type, id });
		}
		return true;
	}

	/** Deletes the channel and unassigns all its items (States and transitions). */
	deleteChannel(id: number): boolean {
		this.assignments.delete(id);
		return this.channels.delete(id);
	}

	private itemStore(type: ItemType): RowStore<ShortLink> | RowStore<QrCode> {
		return { links: this.links, bio: this.bios, qr: this.qrs }[type];
	}

	private itemView({ type, id }: Assignment): ChannelItem | undefined {
		if (type === 'qr') {
			const qr = this.qrs.get(id);
			if (!qr) return undefined;
			const date = toDate(Date.parse(`${qr.date.replace(' ', 'T')}Z`));
			return { type, id, title: qr.name, preview: `${qr.link}.png`, link: qr.link, date };
		}
		const row = (type === 'bio' ? this.bios : this.links).get(id);
		if (!row) return undefined;
		const { title, preview, link, date } = row;
		return { type, id, title, preview, link, date };
	}

	private assignmentsOf(channelId: number): Assignment[] {
		const known = this.assignments.get(channelId);
		if (known) return known;
		const generated = channelId <= this.counts.channels ? this.generateItems(channelId) : [];
		this.assignments.set(channelId, generated);
		return generated;
	}

	/** The first channel is full, the second empty, the others somewhere between. */
	private generateItems(channelId: number): Assignment[] {
		const random = new SeededRandom(`items ${channelId}`);
		const share = channelId === 1 ? 1 : channelId === 2 ? 0 : random.next();
		const wanted = Math.floor(this.counts.items * share);
		const bios = Math.min(this.counts.bios, Math.floor(wanted / 8));
		const qrs = Math.min(this.counts.qrs, Math.floor(wanted / 8));
		const taken = { links: 0, bio: 0, qr: 0 };
		return Array.from({ length: wanted }, (_, index) => {
			let type: ItemType = 'links';
			if (index % 8 === 5 && taken.bio < bios) type = 'bio';
			if (index % 8 === 7 && taken.qr < qrs) type = 'qr';
			return { type, id: ++taken[type] };
		});
	}
}
