import { withExtension } from '../../nodes/LinkManagement/fileTypes';

const OFFICE = 'application/vnd.openxmlformats-officedocument';
const WORD = `${OFFICE}.wordprocessingml.document`;

describe('withExtension', () => {
	it.each([
		['Offer', 'docx', 'Offer.docx'],
		['Offer 12.2030', 'docx', 'Offer 12.2030.docx'],
		['Offer example.com', 'pdf', 'Offer example.com.pdf'],
		['Offer.PDF', '.pdf', 'Offer.PDF'],
		['Offer', ' PDF ', 'Offer.pdf'],
		['photo.jpg', 'jpeg', 'photo.jpg'],
		['photo.jfif', 'jpg', 'photo.jfif'],
		['scan.tif', 'tiff', 'scan.tif'],
		['page.html', 'htm', 'page.html'],
		// n8n names a type that it doesn't know like these.
		['main.c', 'txt', 'main.c'],
		['setup.exe', 'bin', 'setup.exe'],
		['Notes', 'txt', 'Notes.txt'],
	])('adds what n8n knows unless the name ends in it: %s and %s make %s', (name, known, whole) => {
		expect(withExtension(name, { fileExtension: known, mimeType: 'a/b' }, false)).toBe(whole);
	});

	it.each([
		['Offer', 'application/pdf', 'Offer.pdf'],
		['Offer', 'Text/CSV; charset=utf-8', 'Offer.csv'],
		['Agro S.A', 'image/jpeg', 'Agro S.A.jpeg'],
		['Offer', 'text/plain', 'Offer'],
		['Picture', 'image/svg+xml', 'Picture'],
		['Offer.doc', 'application/pdf', 'Offer.doc'],
		['Offer 12.2030', 'application/pdf', 'Offer 12.2030.pdf'],
		['Offer.Anniversary', 'application/pdf', 'Offer.Anniversary.pdf'],
		['Budget.numbers', 'application/zip', 'Budget.numbers'],
		['Clip.3gp', 'video/mp4', 'Clip.3gp'],
		['Song', 'audio/mp3', 'Song.mp3'],
		['data', 'application/octet-stream', 'data'],
		['data', '', 'data'],
	])('adds the one of the MIME type if the name has none: %s of %s is %s', (name, type, whole) => {
		expect(withExtension(name, { mimeType: type }, false)).toBe(whole);
	});

	it.each([
		['Offer no. 5', ' 5', 'application/pdf', 'Offer no. 5.pdf'],
		['Mr. Rusu - invoice', ' Rusu - invoice', 'application/pdf', 'Mr. Rusu - invoice.pdf'],
		['Act v1.2', '2', WORD, 'Act v1.2.docx'],
		['Act.docx', 'docx', WORD, 'Act.docx'],
		['Prices 12.2030', '2030', `${OFFICE}.spreadsheetml.sheet`, 'Prices 12.2030.xlsx'],
		['Talk no. 1', ' 1', `${OFFICE}.presentationml.presentation`, 'Talk no. 1.pptx'],
		['Drawing 1.2', '2', 'application/vnd.example', 'Drawing 1.2'],
	])(
		'doesn’t take the end of a name for its extension: %s, which n8n says is "%s", as %s',
		(name, known, mimeType, whole) => {
			expect(withExtension(name, { fileExtension: known, mimeType }, false)).toBe(whole);
		},
	);

	it('keeps an extension that the user has entered', () => {
		expect(withExtension('backup.old', { fileExtension: 'pdf' }, true)).toBe('backup.old');
		expect(withExtension('backup', { fileExtension: 'pdf' }, true)).toBe('backup.pdf');
	});
});
