import { found } from '../shared/checks';
import { type Company, generateCompany } from './companies';

/** Conditions of a search; all must match. */
export interface CompanyQuery {
	/** An IDNO, its beginning, or words of the name. */
	q?: string;
	/** Class code, with or without a dot. */
	caen?: string;
	/** District or municipality. */
	region?: string;
}

interface Entry {
	company: Company;
	foldedName: string;
}

/** The companies, shared by both variants. They are generated when first used. */
export class CompanyDirectory {
	private known: Map<string, Entry> | undefined;

	constructor(private readonly count: number) {}

	get size(): number {
		return this.entries.size;
	}

	/** The company itself; to change it use `update`. */
	get(idno: string): Readonly<Company> | undefined {
		return this.entries.get(idno)?.company;
	}

	all(): ReadonlyArray<Readonly<Company>> {
		return [...this.entries.values()].map(({ company }) => company);
	}

	search({ q, caen, region }: CompanyQuery): Array<Readonly<Company>> {
		const matchesText = textMatcher(q?.trim() ?? '');
		const wantedCaen = caen?.replace(/\D/g, '');
		const wantedRegion = region === undefined ? undefined : fold(region.trim());
		const hits: Company[] = [];
		for (const entry of this.entries.values()) {
			const { company } = entry;
			if (wantedCaen !== undefined && company.caenCode !== wantedCaen) continue;
			if (wantedRegion !== undefined && fold(company.region) !== wantedRegion) continue;
			if (matchesText(entry)) hits.push(company);
		}
		return hits;
	}

	/** Changes fields of a company, as the registry's weekly publication does. */
	update(idno: string, change: Partial<Omit<Company, 'idno'>>): Readonly<Company> {
		const entry = found(this.entries.get(idno), `There is no company ${idno}`);
		Object.assign(entry.company, change);
		entry.foldedName = fold(entry.company.name);
		return entry.company;
	}

	/** Adds a company like the generated ones, with the given fields; the IDNO can be any text. */
	add(fields: Partial<Company> & Pick<Company, 'idno'>): Readonly<Company> {
		const company = { ...generateCompany(this.entries.size), ...fields };
		this.entries.set(company.idno, entryOf(company));
		return company;
	}

	remove(idno: string): boolean {
		return this.entries.delete(idno);
	}

	reset(): void {
		this.known = undefined;
	}

	private get entries(): Map<string, Entry> {
		this.known ??= new Map(
			Array.from({ length: this.count }, (_, index) => {
				const company = generateCompany(index);
				return [company.idno, entryOf(company)];
			}),
		);
		return this.known;
	}
}

function entryOf(company: Company): Entry {
	return { company, foldedName: fold(company.name) };
}

function textMatcher(q: string): (entry: Entry) => boolean {
	if (/^\d+$/.test(q)) return ({ company }) => company.idno.startsWith(q);
	const words = fold(q).split(/\s+/).filter(Boolean);
	return ({ foldedName }) => words.every((word) => foldedName.includes(word));
}

/** Without case and diacritics. */
function fold(text: string): string {
	return text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();
}
