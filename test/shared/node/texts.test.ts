import { fold, normalText, sameText } from '../../../nodes/shared/node/texts';

describe('normalText', () => {
	it.each([
		['  Vin &amp;amp; Vie ', 'Vin & Vie'],
		['&Icirc;n Ora&scedil;ul &#350;tefan', 'În Oraşul Ştefan'],
		['caf&eacute; &Aring;sa &Ntilde;u &uuml;ber', 'café Åsa Ñu über'],
		['I\u0302n', 'În'],
		['AT&T; &unknown; &circ;', 'AT&T; &unknown; &circ;'],
		[42, '42'],
		[null, ''],
	])('reads %j as %j', (given, text) => {
		expect(normalText(given)).toBe(text);
	});
});

describe('sameText', () => {
	it('takes cedillas for commas, and no other letter for another', () => {
		expect(sameText('Oraşul Ţării')).toBe(sameText('Orașul Țării'));
		expect(sameText('&Scedil;tefan')).toBe(sameText('Ștefan'));
		expect(sameText('Orasul')).not.toBe(sameText('Orașul'));
		expect(sameText('orașul')).not.toBe(sameText('Orașul'));
	});
});

describe('fold', () => {
	it('leaves out case and diacritics', () => {
		expect(fold('Țară Ţară')).toBe('tara tara');
	});
});
