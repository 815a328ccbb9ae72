import { DATA_END_MS, toDate, toDateTime } from '../shared/dates';
import { SeededRandom } from '../shared/random';
import {
	type Account,
	type Campaign,
	type Channel,
	type Domain,
	type FileRecord,
	type Overlay,
	type Pixel,
	PIXEL_TYPES,
	type QrCode,
	type ShortLink,
	type SplashPage,
} from './records';
import { AUDIENCES, COLORS, FILE_KINDS, PLACES, TOPICS } from './words';

/** Host of everything the service makes up: short links, rotators, previews. */
export const SHORT_HOST = 'https://lnk.example';

const HOUR_MS = 3_600_000;
/** The account was registered in 2021; no record can be older. */
const LONGEST_HISTORY_MS = 4 * 365 * 24 * HOUR_MS;
const ALPHABET = [...'abcdefghjkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789'];

/** The generated rows. Each depends on its id (and the number of rows, for dates) alone. */
export const generate = {
	account(): Account {
		return {
			id: 1,
			email: 'demo@link-company.example',
			username: 'demo',
			avatar: `${SHORT_HOST}/avatars/demo.png`,
			status: 'pro',
			expires: '2030-12-31 23:59:59',
			registered: '2021-04-12 09:30:00',
		};
	},

	domain(id: number): Domain {
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

	overlay(id: number, count: number): Overlay {
		const random = new SeededRandom(`overlay ${id}`);
		const type = random.pick(['message', 'contact']);
		const name = `${random.pick(TOPICS)} ${type === 'contact' ? 'form' : 'banner'} ${id}`;
		return { id, type, name, date: dateTimeOf(id, count, 31) };
	},

	campaign(id: number): Campaign {
		const random = new SeededRandom(`campaign ${id}`);
		const name = `${random.pick(TOPICS)} ${random.pick(PLACES)} ${id}`;
		return { id, name, public: random.chance(0.4), slug: random.chance(0.6) ? slugOf(name) : '' };
	},

	channel(id: number): Channel {
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

	splashPage(id: number, count: number): SplashPage {
		const random = new SeededRandom(`splash ${id}`);
		return { id, name: `${random.pick(TOPICS)} splash ${id}`, date: dateTimeOf(id, count, 47) };
	},

	file(id: number, count: number): FileRecord {
		const random = new SeededRandom(`file ${id}`);
		const { stem, extension } = random.pick(FILE_KINDS);
		return {
			id,
			name: `${stem}-${slugOf(random.pick(PLACES))}-${id}.${extension}`,
			downloads: random.integer(0, 400),
			shorturl: `${SHORT_HOST}/${aliasOf(random)}`,
			date: dateTimeOf(id, count, 7),
		};
	},

	pixel(id: number, count: number): Pixel {
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

	qrCode(id: number, count: number): QrCode {
		const random = new SeededRandom(`qr ${id}`);
		return {
			id,
			link: `${SHORT_HOST}/qr/${aliasOf(random)}`,
			scans: random.chance(0.15) ? 0 : random.integer(1, 2500),
			name: `${random.pick(TOPICS)} ${random.pick(PLACES)} ${id}`,
			date: dateTimeOf(id, count, 19),
		};
	},

	shortLink(id: number, count: number): ShortLink {
		return shortLinkOf('link', id, count);
	},

	bio(id: number, count: number): ShortLink {
		return shortLinkOf('bio', id, count);
	},
};

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

/** A random alias as the service gives to links and files. */
export function aliasOf(random: SeededRandom): string {
	return Array.from({ length: 7 }, () => random.pick(ALPHABET)).join('');
}

/** Lower case, ASCII, words joined by hyphens. */
export function slugOf(text: string): string {
	return text
		.normalize('NFD')
		.replace(/\p{M}/gu, '')
		.toLowerCase()
		.replace(/[^a-z0-9]+/g, '-')
		.replace(/^-|-$/g, '');
}

/** Later ids have later dates, and the newest generated row is always of the same time. */
function timeOf(id: number, count: number, stepHours: number): number {
	const stepMs = Math.min(stepHours * HOUR_MS, LONGEST_HISTORY_MS / Math.max(1, count));
	const jitter = Math.floor(new SeededRandom(`date ${id}`).next() * stepMs);
	return DATA_END_MS - (count - id) * stepMs - jitter;
}

function dateTimeOf(id: number, count: number, stepHours: number): string {
	return toDateTime(timeOf(id, count, stepHours));
}
