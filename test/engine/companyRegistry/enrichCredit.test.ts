import type { Respond } from '../../fakeService';
import type { NodeRun } from '../harness';
import { recordsOf } from '../support';
import {
	FIRST,
	RECOMMENDING,
	SECOND,
	UNKNOWN,
	ZEFIRUL,
	columnsOf,
	crediting,
	enrich,
	enrichAt,
	numbered,
	texts,
} from './enriching';

describe('Enrich: credit recommendation', () => {
	it.each([400, 404])(
		'adds the credit recommendation as columns, which are null if there is none (HTTP %d)',
		async (status) => {
			const scoring = { rating: 'A', score: 71, insolvency_risk: 'low' };
			const advice = {
				recommended_limit_mdl: 72_000,
				currency: 'MDL',
				recommended_payment_terms_days: 30,
				advisory_notes: 'Review.',
			};
			const recommendation = { idno: FIRST, scoring, trade_credit_recommendation: advice };
			const respond = crediting(({ path }) =>
				path.endsWith(FIRST)
					? { success: true, ...recommendation }
					: { status, body: { success: false, error: 'No recommendation for this company' } },
			);
			const before = { registry_idno: SECOND, registry_rating: 'B' };
			const rows = [{ idno: FIRST }, { idno: SECOND, ...before }, { idno: UNKNOWN }];
			const results = recordsOf(await enrichAt(respond, rows, { addCredit: true }));
			expect(results).toMatchObject([
				columnsOf({ ...ZEFIRUL, ...scoring, ...advice }),
				// A missing recommendation keeps what the row had.
				{ match_reason: '', ...before, registry_changed: false },
				{ match_status: 'notFound', registry_rating: null },
			]);
		},
	);

	it('a rating that the recommendation no longer has in its group is told, and emptied', async () => {
		const answer = (rating: unknown) =>
			crediting({ success: true, idno: FIRST, scoring: { rating, score: 71 } });
		const parameters = { addCredit: true };
		const before = recordsOf(await enrichAt(answer('B'), [{ idno: FIRST }], parameters));
		expect(recordsOf(await enrichAt(answer(null), before, parameters))).toMatchObject([
			{ registry_rating: null, registry_changes: 'rating: B → none' },
		]);
	});

	it('selects fields of the credit recommendation by their paths', async () => {
		const credit = { scoring: { rating: 'B', score: 71, model: 'v2' } };
		const parameters = {
			addCredit: true,
			output: 'fields',
			fields: ['name', 'score'],
			otherFields: 'scoring.model',
		};
		const respond = crediting({ success: true, idno: FIRST, ...credit });
		const rows = [{ idno: FIRST }, { idno: UNKNOWN }];
		expect(recordsOf(await enrichAt(respond, rows, parameters))).toMatchObject([
			{ registry_name: 'Zefirul SRL', registry_scoring_model: 'v2', registry_score: 71 },
			{ registry_name: null, registry_scoring_model: null, registry_score: null },
		]);
	});

	const companies = Array.from({ length: 40 }, (_, index) => ({
		...{ idno: numbered(index), name: `Zefirul${index}`, status: 'active' },
	}));

	/** Enriches all companies, where the service answers each request for a recommendation in this way. */
	async function withCredit(answer: object | Respond, more: Partial<NodeRun> = {}) {
		const rows = companies.map(({ idno }) => ({ idno, registry_rating: 'B' }));
		const outcome = await enrichAt(crediting(answer, companies), rows, { addCredit: true }, more);
		const credits = outcome.paths.filter((path) => path.includes('/credit/'));
		return { ...outcome, credits };
	}

	it('asks no more for recommendations that the plan lacks', async () => {
		const message = 'Your plan does not include this operation';
		const outcome = await withCredit({ status: 403, body: { success: false, message } });
		for (const row of recordsOf(outcome)) {
			expect(row).toMatchObject({ match_status: 'found', registry_status: 'active' });
			expect(row.match_reason).toMatch(
				new RegExp(`^Credit recommendations aren't available: ${message}`),
			);
			expect(row.registry_checked_at).toEqual(expect.any(String));
		}
		expect(outcome.credits.length).toBeLessThanOrEqual(12);
	});

	it('a row whose recommendation fails is found, keeps its old one, and is due again', async () => {
		const failure = { status: 500, body: { success: false } };
		const outcome = await withCredit(failure);
		expect(recordsOf(outcome)[0]).toMatchObject({
			match_status: 'found',
			registry_name: 'Zefirul0',
			registry_rating: 'B',
			match_reason: expect.stringMatching(
				/^The credit recommendation couldn't be read: .*HTTP 500/,
			) as unknown,
		});
		expect(texts(outcome)).toEqual([
			expect.stringMatching(/^40 rows: 40 checked \(40 found\)\..*<br>Write registry_state back/),
			expect.stringContaining('For 40 rows, the credit recommendation is missing'),
		]);
		// Three failures in a row are an outage. Others may have been under way.
		expect(outcome.credits.length).toBeLessThanOrEqual(12);
		const options = { skipRowsCheckedWithin: 30 };
		const [again] = await enrich(recordsOf(outcome).slice(0, 1), { options }, companies);
		expect(again).toMatchObject({ match_status: 'found', match_reason: '' });
	});

	it('a row whose recommendation is rejected, and that mustn’t wait, says what it’s waiting for', async () => {
		const rejection = { status: 429, body: { success: false, message: 'Too many requests' } };
		const respond = crediting(rejection, companies);
		const options = { onRateLimit: 'fail' };
		const outcome = await enrichAt(respond, [{ idno: FIRST }], { addCredit: true, options });
		expect(recordsOf(outcome)).toMatchObject([
			{
				match_status: 'found',
				match_reason: 'The credit recommendation is waiting for the rate limit.',
			},
		]);
	});

	it('requests no recommendation for a company without an IDNO', async () => {
		const nameless = { name: 'Zefirul SRL', status: 'active' };
		const outcome = await enrichAt(crediting(RECOMMENDING, [nameless]), [{ company: 'Zefirul' }], {
			addCredit: true,
		});
		expect(recordsOf(outcome)).toMatchObject([{ match_status: 'found', match_reason: '' }]);
		expect(outcome.paths.filter((path) => path.includes('/credit/'))).toEqual([]);
	});

	it('sends only the recommendation’s request if its name and status, wherever it has them, are as before', async () => {
		const company = { name: 'Zefirul SRL', status: 'active' };
		const respond = crediting({ success: true, idno: FIRST, data: { company, rating: 'B' } });
		const first = await enrichAt(respond, [{ idno: FIRST }], { addCredit: true });
		const second = await enrichAt(respond, recordsOf(first), { addCredit: true });
		expect([first.paths, second.paths].map(({ length }) => length)).toEqual([2, 1]);
	});

	it('still asks for recommendations after three refusals that don’t follow each other', async () => {
		const refused = [0, 12, 24].map(numbered);
		const { credits } = await withCredit((request) =>
			refused.some((idno) => request.path.endsWith(idno))
				? { status: 403, body: { success: false, message: 'Forbidden' } }
				: RECOMMENDING(request),
		);
		expect(credits).toHaveLength(companies.length);
	});
});
