import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { CompanyRegistry } from '../../nodes/CompanyRegistry/CompanyRegistry.node';
import { LinkManagement } from '../../nodes/LinkManagement/LinkManagement.node';
import { operationsIn } from '../../nodes/shared/node/operation';
import { references, scenes } from '../cases';
import { FILE, hasFile, isTo, normalized } from '../cases/operationCase';
import { runCase } from '../cases/runCase';
import { jsonOf } from '../engine/harness';

it.each(scenes)('$node: $says $operation $parameters', async (scene) => {
	const { items, error, received, credential } = await runCase(scene);
	const sent = received.map(({ request, body }) => ({ request: normalized(request), body }));
	expect(sent).toEqual(
		scene.exchanges.map(({ request, body }) => ({ request: normalized(request), body })),
	);
	if (scene.errors.length > 0) {
		const said = `${error?.message} ${error?.description}`;
		for (const words of scene.errors) expect(said).toContain(words);
	} else {
		const outcome = { error, output: jsonOf(items) };
		if (scene.isDocumented) expect(outcome).toEqual({ output: scene.output });
		else expect(outcome).toMatchObject({ output: scene.output });
	}
	const apiKey = String(credential.apiKey);
	for (const { request, headers, body } of received) {
		const { authorization, 'x-api-key': key, 'content-type': type, accept } = headers;
		const isLinks = scene.node === 'linkManagement';
		expect({ authorization, key }).toEqual(
			isLinks ? { authorization: `Bearer ${apiKey}` } : { key: apiKey },
		);
		expect(request).not.toContain(apiKey);
		expect(accept).toBe('application/json');
		expect(type).toBe(hasFile(scene) ? FILE.mimeType : body && 'application/json');
	}
	expect(JSON.stringify(items)).not.toContain('S3cret');
});

it.each(references)('$says is tested in $file ($words)', ({ file, words }) => {
	const text = readFileSync(join(__dirname, '..', '..', file), 'utf8');
	const titles = [...text.matchAll(/'([^'\n]+)',\s*(?:async )?\(/g)].map(([, title]) => title);
	expect(titles).toContainEqual(expect.stringContaining(words));
});

it('documents.txt has a scene for every endpoint that an operation calls', () => {
	const called = [new LinkManagement(), new CompanyRegistry()].flatMap(({ description }) =>
		operationsIn(description.properties).flatMap(({ operation }) => operation.endpoints),
	);
	const shown = scenes.flatMap(({ exchanges }) => exchanges.map(({ request }) => request));
	const missing = called.filter(
		({ method, path }) => !shown.some((request) => isTo(`${method} ${path}`, request)),
	);
	expect(missing).toEqual([]);
});

it('the nodes offer the 13 types of pixels and 3 of channel items that the documents list, under their names', () => {
	const { properties } = new LinkManagement().description;
	const choicesOf = (parameter: string) => {
		const { options = [] } = properties.find(({ name }) => name === parameter)!;
		return Object.fromEntries(
			options.map((option) => [option.name, 'value' in option && option.value]),
		);
	};
	expect(choicesOf('type')).toEqual({
		'Google Tag Manager': 'gtmpixel',
		'Google Analytics': 'gapixel',
		Facebook: 'fbpixel',
		'Google Ads': 'adwordspixel',
		LinkedIn: 'linkedinpixel',
		Twitter: 'twitterpixel',
		AdRoll: 'adrollpixel',
		Quora: 'quorapixel',
		Pinterest: 'pinterest',
		Bing: 'bing',
		Snapchat: 'snapchat',
		Reddit: 'reddit',
		TikTok: 'tiktok',
	});
	expect(choicesOf('itemType')).toEqual({ 'Bio Page': 'bio', Link: 'links', 'QR Code': 'qr' });
});
