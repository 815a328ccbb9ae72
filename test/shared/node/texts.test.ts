import {
	fold,
	foldedText,
	normalText,
	sameText,
	storedText,
} from '../../../nodes/shared/node/texts';

describe('storedText', () => {
	it.each([
		[' Black\u00a0 Friday\n', 'Black\u00a0 Friday'],
		['  Vin &amp;amp; Vie ', 'Vin & Vie'],
		['&Icirc;n Ora&scedil;ul &#350;tefan', 'În Oraşul Ştefan'],
		['caf&eacute; &Aring;sa &Ntilde;u &uuml;ber', 'café Åsa Ñu über'],
		['I\u0302n', 'În'],
		['AT&T; &unknown; &circ;', 'AT&T; &unknown; &circ;'],
		['&#x22;Z&#X41;&#39; &#128279;', '"ZA\' 🔗'],
		['&#abc; &#xFFFFFF; &#9999999;', '&#abc; &#xFFFFFF; &#9999999;'],
		[42, '42'],
		[null, ''],
	])('reads %j as %j', (given, text) => {
		expect(storedText(given)).toBe(text);
	});
});

describe('normalText', () => {
	it.each(['\u00a0', '\u202f', '  ', '\n', ' \u200b', '\u200e ', '&nbsp;', '\u00ad '])(
		'reads %j as a space',
		(space) => {
			expect(normalText(`\u2060Black${space}Friday\ufeff`)).toBe('Black Friday');
		},
	);
});

describe('sameText', () => {
	it('takes cedillas for commas, and no other letter for another', () => {
		expect(sameText('Oraşul Ţării')).toBe(sameText('Orașul Țării'));
		expect(sameText('&Scedil;tefan')).toBe(sameText('Ștefan'));
		expect(sameText('Orasul')).not.toBe(sameText('Orașul'));
		expect(sameText('orașul')).not.toBe(sameText('Orașul'));
	});
});

describe('foldedText', () => {
	it('leaves out case and diacritics', () => {
		expect(fold('Țară Ţară')).toBe('tara tara');
		expect(foldedText(' &Icirc;N\u200b  Țară')).toBe('in tara');
	});
});
