import { DATA_END_MS, fold, SeededRandom, toDate, toDateTime } from '../shared/data';
import { type Account, type ItemType, PIXEL_TYPES, type ShortLink } from './records';

/** Host of all generated URLs: short links, rotators, previews. */
export const SHORT_HOST = 'https://lnk.example';

const HOUR_MS = 3_600_000;
/** The account was registered in 2021; no record can be older. */
const LONGEST_HISTORY_MS = 4 * 365 * 24 * HOUR_MS;
const ALPHABET = [...'abcdefghjkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789'];

const TOPICS = (
	'Spring Sale,Wine Festival,Newsletter,Product Launch,Black Friday,Open Day,Summer Menu,' +
	'Trade Fair,Loyalty Programme,Recruiting,Harvest Fair,Webinar,Easter Market,Student Offer,' +
	'Press Kit,Winter Catalogue,Referral,Delivery'
).split(',');
const PLACES = 'Chișinău,Bălți,Cahul,Orhei,Soroca,Ungheni,Comrat,Hîncești'.split(',');
const AUDIENCES = 'Retail,Partners,Press,Staff,Guests,Newcomers'.split(',');
const FILES = (
	'price-list.pdf,menu.pdf,floor-plan.png,contract.docx,catalogue.pdf,attendees.xlsx,' +
	'logo-pack.zip,report.csv'
).split(',');
const COLORS = '#1A73E8,#D93025,#188038,#F9AB00,#9334E6,#12B5CB'.split(',');

export const ACCOUNT: Account = {
	id: 1,
	email: 'demo@link-company.example',
	username: 'demo',
	avatar: `${SHORT_HOST}/avatars/demo.png`,
	status: 'pro',
	expires: '2030-12-31 23:59:59',
	registered: '2021-04-12 09:30:00',
};

/** The generated rows. Each depends only on its ID and, for dates, on the number of rows. */
export const generate = {
	domains(id: number) {
		const random = new SeededRandom(`domain ${id}`);
		const topic = slugOf(random.pick(TOPICS));
		const host = `${topic}-${id}.example`;
		return {
			id,
			domain: `${random.chance(0.85) ? 'https' : 'http'}://go.${host}`,
			redirectroot: `https://www.${host}`,
			redirect404: random.chance(0.8) ? `https://www.${host}/not-found` : '',
		};
	},

	overlays(id: number, count: number) {
		const random = new SeededRandom(`overlay ${id}`);
		const type = random.pick(['message', 'contact']);
		const name = `${random.pick(TOPICS)} ${type === 'contact' ? 'form' : 'banner'} ${id}`;
		return { id, type, name, date: dateTimeOf(id, count, 31) };
	},

	campaigns(id: number) {
		const random = new SeededRandom(`campaign ${id}`);
		const name = `${random.pick(TOPICS)} ${random.pick(PLACES)} ${id}`;
		return { id, name, public: random.chance(0.4), slug: random.chance(0.6) ? slugOf(name) : '' };
	},

	channels(id: number) {
		const random = new SeededRandom(`channel ${id}`);
		const name = `${random.pick(AUDIENCES)} ${random.pick(PLACES)} ${id}`;
		return {
			id,
			name,
			description: random.chance(0.7) ? `Everything for ${name}` : '',
			color: random.pick(COLORS),
			starred: random.chance(0.2),
		};
	},

	splash(id: number, count: number) {
		const random = new SeededRandom(`splash ${id}`);
		return { id, name: `${random.pick(TOPICS)} splash ${id}`, date: dateTimeOf(id, count, 47) };
	},

	files(id: number, count: number) {
		const random = new SeededRandom(`file ${id}`);
		const [stem, extension] = random.pick(FILES).split('.');
		return {
			id,
			name: `${stem}-${slugOf(random.pick(PLACES))}-${id}.${extension}`,
			downloads: random.integer(0, 400),
			shorturl: `${SHORT_HOST}/${aliasOf(random)}`,
			date: dateTimeOf(id, count, 7),
		};
	},

	pixels(id: number, count: number) {
		const random = new SeededRandom(`pixel ${id}`);
		const type = random.pick(PIXEL_TYPES);
		return {
			id,
			type,
			name: `${random.pick(TOPICS)} ${type} ${id}`,
			tag: `${type.slice(0, 3).toUpperCase()}-${random.integer(100_000, 999_999)}`,
			date: dateTimeOf(id, count, 29),
		};
	},

	qrs(id: number, count: number) {
		const random = new SeededRandom(`qr ${id}`);
		return {
			id,
			link: `${SHORT_HOST}/qr/${aliasOf(random)}`,
			scans: random.chance(0.15) ? 0 : random.integer(1, 2500),
			name: `${random.pick(TOPICS)} ${random.pick(PLACES)} ${id}`,
			date: dateTimeOf(id, count, 19),
		};
	},

	links(id: number, count: number): ShortLink {
		return shortLinkOf('link', id, count);
	},

	bios(id: number, count: number): ShortLink {
		return shortLinkOf('bio', id, count);
	},
};

/** The items of a channel: the first is full, the second empty, and the rest in between. */
export function generateItems(
	channelId: number,
	counts: { items: number; bios: number; qrs: number },
): Array<{ type: ItemType; id: number }> {
	const random = new SeededRandom(`items ${channelId}`);
	const share = channelId === 1 ? 1 : channelId === 2 ? 0 : random.next();
	const wanted = Math.floor(counts.items * share);
	const bios = Math.min(counts.bios, Math.floor(wanted / 8));
	const qrs = Math.min(counts.qrs, Math.floor(wanted / 8));
	const taken = { links: 0, bio: 0, qr: 0 };
	return Array.from({ length: wanted }, (_, index) => {
		let type: ItemType = 'links';
		if (index % 8 === 5 && taken.bio < bios) type = 'bio';
		if (index % 8 === 7 && taken.qr < qrs) type = 'qr';
		return { type, id: ++taken[type] };
	});
}

function shortLinkOf(kind: 'link' | 'bio', id: number, count: number): ShortLink {
	const random = new SeededRandom(`${kind} ${id}`);
	const alias = aliasOf(random);
	return {
		id,
		title: `${random.pick(TOPICS)} ${kind === 'bio' ? 'profile' : 'page'} ${id}`,
		link: `${SHORT_HOST}/${kind === 'bio' ? '@' : ''}${alias}`,
		preview: `${SHORT_HOST}/previews/${alias}.png`,
		date: toDate(timeOf(id, count, 11)),
	};
}

/** A random alias like those that the service generates for links and files. */
export function aliasOf(random: SeededRandom): string {
	return Array.from({ length: 7 }, () => random.pick(ALPHABET)).join('');
}

/** Lower case, ASCII, words joined by hyphens. */
export function slugOf(text: string): string {
	return fold(text)
		.replace(/[^a-z0-9]+/g, '-')
		.replace(/^-|-$/g, '');
}

/** Higher IDs have later dates, and the newest generated row always has the same date. */
function timeOf(id: number, count: number, stepHours: number): number {
	const stepMs = Math.min(stepHours * HOUR_MS, LONGEST_HISTORY_MS / Math.max(1, count));
	const jitter = Math.floor(new SeededRandom(`date ${id}`).next() * stepMs);
	return DATA_END_MS - (count - id) * stepMs - jitter;
}

function dateTimeOf(id: number, count: number, stepHours: number): string {
	return toDateTime(timeOf(id, count, stepHours));
}
