import { CompanyRegistry } from '../../nodes/CompanyRegistry/CompanyRegistry.node';
import { LinkManagement } from '../../nodes/LinkManagement/LinkManagement.node';
import { entriesOf } from '../../tools/docs/description';
import { parametersOf } from '../../tools/docs/parameters';

// The text of the reference: generated.test.ts compares the pages.
it.each([new LinkManagement().description, new CompanyRegistry().description])(
	'the reference has no parameter that no operation of $displayName shows',
	(description) => {
		const parameters = parametersOf(description, entriesOf(description));
		const unused = parameters.filter(({ usedBy }) => usedBy.length === 0);
		expect(unused.map(({ label }) => label)).toEqual([]);
	},
);
