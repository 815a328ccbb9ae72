import { parseName } from '../../../nodes/CompanyRegistry/enrich/companyName';
import { formsContradict } from '../../../nodes/CompanyRegistry/enrich/legalForms';

function parts(name: string) {
	const { words, forms, possibleForms, places, branch } = parseName(name);
	return {
		words: words.map(({ spellings }) => spellings[0]),
		forms: [...forms].sort(),
		possible: [...possibleForms.values()],
		places,
		branch: branch.map(({ spellings }) => spellings[0]),
	};
}

describe('the legal forms of a name', () => {
	it.each([
		['ŞOIMNOVA VIN S. R. L.', ['soimnova', 'vin'], ['srl']],
		['Societatea cu Răspundere Limitată Vălmora', ['valmora'], ['srl']],
		['ÎCS "Dornvest" SRL', ['dornvest'], ['ics', 'srl']],
		['Organizația de Creditare Nebancară Rapid Lei SRL', ['rapid', 'lei'], ['ocn', 'srl']],
		['GȚ Popescu Ion', ['popescu', 'ion'], ['gt']],
		['Gospodăria Țărănească (de fermier) Popescu Ion', ['popescu', 'ion'], ['gt']],
		['ООО Зефир', ['zefir'], ['srl']],
		['ОАО Зефир', ['zefir'], ['sa']],
		['К/Х Попеску', ['popescu'], ['gt']],
		['ЧП Попеску', ['popescu'], ['ii']],
		['SA Design SRL', ['sa', 'design'], ['srl']],
		['ÎI „GT Motors”', ['gt', 'motors'], ['ii']],
		['SRL', ['srl'], []],
		['„”', [], []],
	])('are taken off %s', (name, words, forms) => {
		expect(parts(name)).toMatchObject({ words, forms });
	});

	it.each([
		['GT Motors', ['gt']],
		['CC Invest', ['cc']],
		['IM Trade', ['im']],
		['Artex II', ['ii']],
	])('are only possible in %s', (name, possible) => {
		expect(parts(name)).toMatchObject({ forms: [], possible });
		expect(parts(name).words).toHaveLength(2);
	});

	it('contradict each other unless one says more about a company', () => {
		const contradict = (a: string[], b: string[]) => formsContradict(new Set(a), new Set(b));
		expect(contradict(['srl'], ['sa'])).toBe(true);
		expect(contradict(['ii'], ['gt'])).toBe(true);
		expect(contradict(['ics', 'srl'], ['sa'])).toBe(true);
		expect(contradict(['srl'], ['srl', 'ics'])).toBe(false);
		expect(contradict(['ics'], ['srl'])).toBe(false);
		expect(contradict(['ics'], ['gt'])).toBe(true);
		expect(contradict([], ['sa'])).toBe(false);
	});
});

describe('what follows a name', () => {
	it.each([
		['Vălmora SRL, or. Orhei', ['valmora'], ['orhei']],
		['Vălmora SRL Chișinău', ['valmora'], ['chisinau']],
		['Vălmora (Orhei) SRL', ['valmora'], ['orhei']],
		['Vălmora SRL, str. Uzinelor 5, Bălți', ['valmora'], ['balti']],
		['Vălmora SRL г. Кишинёв', ['valmora'], ['chisinau']],
		['Camera de Comerț Bălți', ['camera', 'comert', 'balti'], []],
		['Vălmora - Vin Nou', ['valmora', 'vin', 'nou'], []],
	])('is a place in %s', (name, words, places) => {
		expect(parts(name)).toMatchObject({ words, places });
	});

	it('is a branch', () => {
		expect(parts('Vălmora SRL filiala Bălți')).toMatchObject({
			words: ['valmora'],
			forms: ['srl'],
			branch: ['balti'],
		});
		expect(parts('Filiala Vălmora')).toMatchObject({ words: ['filiala', 'valmora'], branch: [] });
	});
});
