import { evaluate, figuresOf, outcomeOf, registerOf } from '../../../tools/evaluate/evaluate';
import { SETS } from '../../../tools/evaluate/pairs';
import { SEARCH_KINDS, type SearchKind } from '../../../sandbox/registry/search';
import { itemsOf, recordsOf, registryAt } from '../support';

const EARLIER = [...SETS.measured, ...SETS.later];

/** The share of companies that Enrich must find to be useful for a CRM. */
const MIN_RECALL: Record<SearchKind, [heldOut: number, earlier: number, unseen: number]> = {
	'all words': [0.88, 0.77, 0.51],
	'any word': [0.88, 0.75, 0.5],
	LIKE: [0.73, 0.73, 0.45],
	'whole words': [0.87, 0.69, 0.46],
};

/** The weekly job sets it. */
const kinds = process.env.ALL_SEARCHES ? SEARCH_KINDS : (['all words'] as const);

describe.each(kinds)('Enrich accuracy with a search by %s', (kind) => {
	const register = registerOf(kind);

	it.each([
		['rows like those of CRM exports', SETS.heldOut, 0],
		['the earlier sets of names', EARLIER, 1],
		['rows with every kind of difference', SETS.unseen, 2],
	])(
		'finds the right company, or none, in fewer than two searches for %s',
		async (_, set, index) => {
			const before = register.requests;
			const results = await evaluate(['strong', 'likely'], set, register);
			const [strong, likely] = results.map(figuresOf);
			expect(strong!.precision).toBeGreaterThanOrEqual(0.99);
			expect(strong!.recall).toBeGreaterThanOrEqual(MIN_RECALL[kind][index]!);
			expect(likely!.precision).toBeGreaterThanOrEqual(0.95);
			expect(likely!.recall).toBeGreaterThanOrEqual(strong!.recall!);
			expect((register.requests - before) / set.length).toBeLessThan(1.9);
		},
	);
});

it('finds the same companies as the evaluation behind the documented figures', async () => {
	// A quarter of the rows is enough to notice that the node and the evaluation differ.
	const pairs = SETS.heldOut.filter((_, index) => index % 4 === 0);
	const register = registerOf('all words');
	const { run } = await registryAt(({ query }) => {
		const { rows, total } = register.search(query.get('q') ?? '', Number(query.get('page')));
		return { success: true, total, page: Number(query.get('page')), per_page: 50, data: rows };
	});
	const records = recordsOf(
		await run(
			{
				resource: 'company',
				operation: 'enrich',
				columns: 'choose',
				...{ companyName: '={{ $json.row }}', companyCity: '={{ $json.rowCity }}' },
				companyLegalForm: '={{ $json.rowForm }}',
			},
			{
				items: itemsOf(...pairs.map(({ row, rowCity, rowForm }) => ({ row, rowCity, rowForm }))),
			},
		),
	);
	const outcomes = records.map(({ registry_name: name }, index) =>
		outcomeOf(pairs[index]!, (name ?? undefined) as string | undefined),
	);
	const [expected = []] = await evaluate(['strong'], pairs, registerOf('all words'));
	expect(outcomes).toEqual(expected.map(({ outcome }) => outcome));
});
