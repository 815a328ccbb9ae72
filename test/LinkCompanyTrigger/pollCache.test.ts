import {
	forgetEverything,
	newestState,
	noteEvents,
	noteQuietPoll,
} from '../../nodes/LinkCompanyTrigger/pollCache';

describe('the cache of quiet polls', () => {
	beforeEach(forgetEverything);

	it('replaces a state that n8n did not store', () => {
		noteQuietPoll('t', undefined, 'baseline');
		expect(newestState('t', undefined)).toBe('baseline');
		expect(newestState('other', undefined)).toBeUndefined();
	});

	it('follows quiet polls from one to the next', () => {
		noteQuietPoll('t', 'stored', 'first');
		noteQuietPoll('t', 'first', 'second');
		expect(newestState('t', 'stored')).toBe('second');
		expect(newestState('t', 'second')).toBe('second');
	});

	it('does not replace another state', () => {
		noteQuietPoll('t', 'stored', 'first');
		expect(newestState('t', 'restored from a backup')).toBe('restored from a backup');
	});

	it('is cleared after events, which must be emitted again if n8n loses them with the state', () => {
		noteQuietPoll('t', 'stored', 'first');
		noteEvents('t');
		expect(newestState('t', 'stored')).toBe('stored');
	});
});
