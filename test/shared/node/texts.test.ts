import {
	fold,
	foldedText,
	normalText,
	remembered,
	sameText,
	storedText,
} from '../../../nodes/shared/node/texts';

describe('storedText', () => {
	it.each([
		[' Black\u00a0 Friday\n', 'Black\u00a0 Friday'],
		['  Vin &amp;amp; Vie ', 'Vin & Vie'],
		['Vin &amp;amp;amp; Vie', 'Vin & Vie'],
		['&Icirc;n Ora&scedil;ul &#350;tefan', 'În Oraşul Ştefan'],
		['caf&eacute; &Aring;sa &Ntilde;u &uuml;ber', 'café Åsa Ñu über'],
		['SF&ACIRC;R&SCEDIL;IT &AMP; CO', 'SFÂRŞIT & CO'],
		['&abreve;&ccaron;&agrave;', 'ăčà'],
		['&bdquo;A&rdquo; &ldquo;B&rdquo; &laquo;C&raquo;', '„A” “B” «C»'],
		['&lsquo;D&rsquo; &quot;E&quot; &apos;F&apos;', '‘D’ "E" \'F\''],
		['1&ndash;2 &mdash; 3&hellip; &lt;4&gt; 5&percnt;', '1–2 — 3… <4> 5%'],
		['a&colon;b&equals;c&lowbar;d&verbar;e&vert;f', 'a:b=c_d|e|f'],
		['10&euro; Agro&reg; 2&times;1 20&deg;C m&sup2; &frac12;', '10€ Agro® 2×1 20°C m² ½'],
		['&Oslash;resund &aelig;', 'Øresund æ'],
		['I\u0302n', 'În'],
		['AT&T; &unknown; &Circ;', 'AT&T; &unknown; &Circ;'],
		['&#x22;Z&#X41;&#39; &#128279; &#x1F517;', '"ZA\' 🔗 🔗'],
		['a&#0;b', 'a b'],
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
			expect(normalText(`\u2060 Black${space}Friday \u200b`)).toBe('Black Friday');
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

describe('remembered', () => {
	const long = 'Zefirul '.repeat(100);

	it.each([
		['only have another end', `${long}Nord`, `${long}Sud`],
		['only have another beginning', `Nord ${long}`, `Sud ${long}`],
		['differ in case', 'AGRO', 'Agro'],
		['differ in a diacritic', 'Orasul', 'Orașul'],
		['differ in a space', 'Agro', 'Agro '],
	])('reads texts separately if they %s', (_, ...both) => {
		expect(both.map(remembered((text) => text))).toEqual(both);
	});
});
