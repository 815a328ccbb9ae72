import { inBody } from '../../shared/node/inputs';
import type { Resource } from '../../shared/node/resource';
import { webAddress } from '../../shared/node/validators';
import { showFor } from '../../shared/node/options';
import { domainKind } from '../lookup';
import { operationsOf } from '../operations';
import { clearableText, optionalFields, recordLocator } from '../panel';

export const domain: Resource = {
	name: 'Domain',
	value: 'domain',
	description: "A branded domain, which short links can use instead of the service's own",
	operations: operationsOf(domainKind, {
		called: 'branded domain',
		create: 'Add a branded domain',
		update: 'Change where a branded domain redirects its visitors',
		identity: { fields: ['domain'] },
	}),
	properties: [
		recordLocator(domainKind, 'e.g. https://go.example.com'),
		inBody(
			{
				displayName: 'Domain',
				name: 'domain',
				required: true,
				placeholder: 'e.g. https://go.example.com',
				hint: "The domain's DNS must already point to the link service",
				description:
					'URL of the domain, starting with http:// or https://. Create or Update updates the domain with this address, or creates one.',
				displayOptions: showFor('domain', 'create', 'upsert'),
			},
			webAddress,
		),
		...optionalFields('domain', [
			...clearableText(
				{
					displayName: '404 Redirect',
					name: 'redirect404',
					placeholder: 'e.g. https://example.com/not-found',
					description: "Where visitors go if their short link doesn't exist",
				},
				webAddress,
			),
			...clearableText(
				{
					displayName: 'Root Redirect',
					name: 'redirectroot',
					placeholder: 'e.g. https://example.com',
					description: 'Where visitors go if they open the domain without a short link',
				},
				webAddress,
			),
		]),
	],
};
