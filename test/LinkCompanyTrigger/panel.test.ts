import { LinkCompanyTrigger } from '../../nodes/LinkCompanyTrigger/LinkCompanyTrigger.node';

describe('the actions of the trigger in the palette', () => {
	it('are in sentence case and keep acronyms', () => {
		const event = new LinkCompanyTrigger().description.properties.find(
			({ name }) => name === 'event',
		);
		const actions = event?.options?.map((option) => ('action' in option ? option.action : ''));
		expect(actions).toEqual(
			expect.arrayContaining([
				'On company status changed',
				'On file created',
				'On QR code scanned',
			]),
		);
	});
});
