import { encodeSegment, shorten } from '../../../nodes/shared/http/text';

test.each([
	['short', 5, 'short'],
	['longer', 5, 'long…'],
	['ab😀cd', 4, 'ab…'],
])('shorten cuts %p to %d characters as %p, without splitting one', (text, longest, shortened) => {
	expect(shorten(text, longest)).toBe(shortened);
});

test.each([
	['7', '7'],
	['../../admin?a=1#b', '..%2F..%2Fadmin%3Fa%3D1%23b'],
	['ă %', '%C4%83%20%25'],
	['half an emoji \uD83D', 'half%20an%20emoji%20%EF%BF%BD'],
])('encodeSegment encodes "%s" as a single path segment', (value, segment) => {
	expect(encodeSegment(value)).toBe(segment);
});
