import type { ICredentialDataDecryptedObject, INodeParameters } from 'n8n-workflow';

import type { Variant } from '../../nodes/CompanyRegistry/service';
import {
	type Company,
	type DeepPartial,
	type LoggedRequest,
	type RegistryService,
	type RegistrySettings,
	type Sandbox,
	startSandbox,
} from '../../sandbox';
import type { NodeOutcome, NodeRun } from './harness';
import { runNode } from './harness';

export interface RegistryBench {
	sandbox: Sandbox;
	/** The variant that the credential is for. */
	registry: RegistryService;
	/** The credential that fits it. */
	credential: ICredentialDataDecryptedObject;
	/** Its companies. */
	companies: ReadonlyArray<Readonly<Company>>;
	/** Runs the Company Registry node against it. */
	run(parameters: INodeParameters, more?: Partial<NodeRun>): Promise<NodeOutcome>;
	/** Every request the variant has got so far. */
	readonly requests: readonly LoggedRequest[];
}

export const VARIANTS: readonly Variant[] = ['v1', 'unversioned'];

const running: Sandbox[] = [];
let benches = 0;

afterEach(async () => {
	await Promise.all(running.splice(0).map(async (sandbox) => await sandbox.close()));
});

/** A plan whose pace no test notices. */
export const PLENTY = { plan: 'custom', requestsPerMinute: 1_000_000, requestsPerDay: 1_000_000 };

const NO_LIMITS: DeepPartial<RegistrySettings> = {
	rateLimit: { limit: null },
	dailyQuota: { limit: null },
};

/**
 * The node and one variant of the sandbox with a key of its own: the process keeps one limiter
 * per key, and a test must not be paced by another. Without limits unless settings are given.
 */
export async function bench(
	variant: Variant,
	settings: DeepPartial<RegistrySettings> = NO_LIMITS,
): Promise<RegistryBench> {
	const apiKey = `secret-key-${process.pid}-${variant}-${++benches}`;
	const sandbox = await startSandbox({ registry: { [variant]: { apiKey, ...settings } } });
	running.push(sandbox);
	const registry = sandbox.registry[variant];
	const credential = { variant, baseUrl: registry.baseUrl, apiKey, ...PLENTY };
	return {
		sandbox,
		registry,
		credential,
		companies: registry.state.all(),
		async run(parameters, more) {
			return await runNode({
				type: 'companyRegistry',
				parameters,
				credentials: { companyRegistryApi: credential },
				...more,
			});
		},
		get requests() {
			return registry.requests;
		},
	};
}

/** The right number for twelve digits, worked out apart from the code under test. */
export function withCheckDigit(twelve: string): string {
	const weights = [7, 3, 1, 7, 3, 1, 7, 3, 1, 7, 3, 1];
	const sum = weights.reduce((total, weight, index) => total + weight * Number(twelve[index]), 0);
	return twelve + String(sum % 10);
}
