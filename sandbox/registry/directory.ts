import { found } from '../shared/checks';
import { fold } from '../shared/data';
import { type Company, generateCompany } from './companies';
import { entryOf, searchEntries } from './search';

/** Conditions of a search; all must match. */
interface CompanyQuery {
	/** An IDNO, its beginning, or words of the name. */
	q?: string;
	/** CAEN code, with or without a dot. */
	caen?: string;
	/** District or municipality. */
	region?: string;
}

/** The companies, shared by both variants. They are generated when first used. */
export class CompanyDirectory {
	private known: Map<string, Company> | undefined;

	constructor(private readonly count: number) {}

	/** The company itself; to change it use `update`. */
	get(idno: string): Readonly<Company> | undefined {
		return this.companies.get(idno);
	}

	all(): ReadonlyArray<Readonly<Company>> {
		return [...this.companies.values()];
	}

	/** Finds companies, ignoring case and diacritics. */
	search({ q = '', caen, region }: CompanyQuery): Array<Readonly<Company>> {
		const wantedCaen = caen?.replace(/\D/g, '');
		const wantedRegion = region === undefined ? undefined : fold(region.trim());
		const entries = this.all().flatMap((company) => {
			if (wantedCaen !== undefined && company.caenCode !== wantedCaen) return [];
			if (wantedRegion !== undefined && fold(company.region) !== wantedRegion) return [];
			return entryOf(company, company.name, company.idno);
		});
		return searchEntries(q, entries);
	}

	/** Changes fields of a company, as the registry's weekly publication does. */
	update(idno: string, change: Partial<Omit<Company, 'idno'>>): Readonly<Company> {
		return Object.assign(found(this.companies.get(idno), `There is no company ${idno}`), change);
	}

	/** Adds a company like the generated ones, with the given fields; the IDNO can be any text. */
	add(fields: Partial<Company> = {}): Readonly<Company> {
		const company = { ...generateCompany(this.companies.size), ...fields };
		this.companies.set(company.idno, company);
		return company;
	}

	reset(): void {
		this.known = undefined;
	}

	private get companies(): Map<string, Company> {
		this.known ??= new Map(
			Array.from({ length: this.count }, (_, index) => {
				const company = generateCompany(index);
				return [company.idno, company];
			}),
		);
		return this.known;
	}
}
