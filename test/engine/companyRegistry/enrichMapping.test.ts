import type { IDataObject } from 'n8n-workflow';

import { companyOf, ModelRegistry, resetClock, runNight, setNight } from './nightModel';

afterEach(resetClock);

const COMPANIES = [1, 12, 23, 34].map(companyOf);
const STRANGER = COMPANIES[3]!;
const LIST = COMPANIES.slice(0, 3).map(({ idno, name }) => ({ Firma: name, IDNO: idno }));
const IDNOS = LIST.map(({ IDNO }) => IDNO);
const NAMES = LIST.map(({ Firma }) => ({ Firma }));

/** Checks a list, changes some cells of some of its rows, and returns the companies that they have then. */
async function companiesAfter(
	list: IDataObject[],
	change: IDataObject,
	isChanged: (place: number) => boolean,
) {
	const registry = new ModelRegistry();
	for (const company of COMPANIES) registry.set(company);
	setNight(0);
	const { rows } = await runNight(registry, list);
	setNight(1);
	const edited = rows.map((row, place) => (isChanged(place) ? { ...row, ...change } : row));
	return (await runNight(registry, edited)).rows.map(({ registry_idno: idno }) => idno);
}

describe('Enrich: cells that change in all rows from one night to the next', () => {
	it.each<[what: string, list: IDataObject[], change: IDataObject]>([
		['an IDNO that no row had before', NAMES, { IDNO: STRANGER.idno }],
		['one name instead of different ones', NAMES, { Firma: STRANGER.name }],
		['one IDNO instead of different ones', LIST, { IDNO: STRANGER.idno }],
	])('take no company from its row: %s', async (_, list, change) => {
		expect(await companiesAfter(list, change, () => true)).toEqual(IDNOS);
		// A single row has been corrected.
		const [corrected, ...others] = await companiesAfter(list, change, (place) => place === 0);
		expect(corrected).not.toBe(IDNOS[0]);
		expect(others).toEqual(IDNOS.slice(1));
	});
});
