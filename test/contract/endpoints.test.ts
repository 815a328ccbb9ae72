import { companyRegistryCases, linkManagementCases } from '../cases';
import type { OperationCase } from '../cases';
import { normalized } from '../cases/operationCase';

/** The fields that a request carries, in its query and in its JSON body. */
function fieldsOf({ exchanges: [exchange] }: OperationCase): string[] {
	const { search } = new URL(exchange!.request.split(' ')[1]!, 'http://localhost');
	const body = typeof exchange!.body === 'object' ? (exchange!.body as object) : {};
	return [...new URLSearchParams(search).keys(), ...Object.keys(body)].sort();
}

const documented = (cases: OperationCase[]) =>
	cases.flatMap((each) =>
		each.documented ? [[each.documented.endpoint, each, each.documented] as const] : [],
	);

describe.each([
	['Link API', 27, documented(linkManagementCases)],
	['company-registry API', 6, documented(companyRegistryCases)],
])('the documented endpoints of the %s', (_api, count, endpoints) => {
	test(`are ${count}, each covered once`, () => {
		expect(endpoints).toHaveLength(count);
		expect(new Set(endpoints.map(([endpoint]) => endpoint)).size).toBe(count);
	});

	test.each(endpoints)('%s is called with every documented field', (endpoint, each, { fields }) => {
		const [method, path = ''] = endpoint.split(' ');
		const pattern = new RegExp(`^${method} ${path.replace(/:\w+/g, '[^/?]+')}\\?`);
		expect(each.exchanges).toHaveLength(1);
		expect(normalized(each.exchanges[0]!.request)).toMatch(pattern);
		expect(fieldsOf(each)).toEqual([...(fields ?? [])].sort());
	});
});
