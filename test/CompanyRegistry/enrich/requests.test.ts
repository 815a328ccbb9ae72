import { EndOfRequests, RunRequests } from '../../../nodes/CompanyRegistry/enrich/requests';
import { companyRegistry } from '../../../nodes/CompanyRegistry/api';
import { ServiceError } from '../../../nodes/shared/http/errors';
import { connectionOf } from '../../../nodes/shared/http/connection';
import { node } from '../../shared/http/scriptedHost';

const down = () => new Error('The service is down');

function requestsAfter(...checks: Array<Error | undefined>): RunRequests {
	const credential = { variant: 'v1', baseUrl: 'https://registry.example', apiKey: 'a key' };
	const requests = new RunRequests(connectionOf(node, companyRegistry, credential), Infinity);
	for (const check of checks) requests.checks.note(check);
	return requests;
}

describe('A run’s requests', () => {
	it('a run sends no more requests after an outage, even if a row that was in flight is checked later', () => {
		expect(requestsAfter(down(), down(), down(), undefined).spend).toThrow(EndOfRequests);
	});

	it('a run sends no more requests after a failure that won’t pass by itself', () => {
		const plain = new ServiceError('Plain HTTP', { kind: 'plainPort' });
		expect(requestsAfter(undefined, plain).spend).toThrow('requests are failing');
	});

	it('a run goes on if a row is checked between failures', () => {
		expect(requestsAfter(down(), down(), undefined, down()).spend).not.toThrow();
	});
});
