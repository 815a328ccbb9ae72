import { isMisspelling } from '../../../../nodes/CompanyRegistry/enrich/match/compareWords';

describe('isMisspelling', () => {
	it.each([
		['zefirrul', 'zefirul'],
		['tarns', 'trans'],
		['incomlcta', 'incomlacta'],
		['rogop', 'rogob'],
		['carpenterie', 'carpenteria'],
		['zefirull', 'zefirul'],
		['brutarescos', 'brutaresco'],
	])('accepts "%s" as a misspelling of "%s"', (written, meant) => {
		expect(isMisspelling(written, meant)).toBe(true);
		expect(isMisspelling(meant, written)).toBe(true);
	});

	it.each([
		['elita', 'elit'],
		['delta', 'selta'],
		['moderna', 'modern'],
		['cebotari', 'cebotaru'],
		['vector', 'victor'],
		['continent', 'continental'],
		['valerie', 'valeria'],
		['mobilarie', 'mobilario'],
		['marcolanda', 'marcolande'],
		['agropan', 'gropan'],
		['zefirul', 'zefirulma'],
		['intomlact', 'incomlacta'],
		['rokob', 'rogop'],
		['brutarescoa', 'brutaresco'],
		['elitas', 'elita'],
	])('rejects "%s" as a misspelling of "%s"', (one, other) => {
		expect(isMisspelling(one, other)).toBe(false);
		expect(isMisspelling(other, one)).toBe(false);
	});
});
