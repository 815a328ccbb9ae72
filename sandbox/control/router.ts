import { join } from 'node:path';
import express, { type NextFunction, type Request, type Response, type Router } from 'express';
import { openApiOf } from '../openApi';
import { deliver, htmlAnswer } from '../shared/answer';
import { checked, ServiceError } from '../shared/checks';
import { type Operation, OPERATIONS, type Sandbox, servicesOf } from './operations';

const PAGE = join(__dirname, 'page.html');

/** The control interface: no key, no limits and no log. */
export function controlRouter(sandbox: Sandbox): Router {
	const router = express.Router();
	router.use(express.json());
	router.get('/', (_req, res) => res.sendFile(PAGE));
	router.get('/control', (_req, res) => res.json(overview(sandbox)));
	for (const service of servicesOf(sandbox)) {
		router.get(`/openapi/${service.name}.json`, (_req, res) => res.json(openApiOf(service)));
	}
	for (const [call, operation] of Object.entries(OPERATIONS)) {
		const [method, path] = call.split(' ') as [string, string];
		router[method.toLowerCase() as 'get'](path, (req: Request, res: Response) =>
			perform(sandbox, operation, req, res),
		);
	}
	router.use((_req, res) => {
		// HTML instead of JSON, as on the web, e.g. for a client whose base URL lacks the prefix.
		deliver(res, htmlAnswer(404, '404 Not Found', 'There is no such page; the index is at /'));
	});
	router.use((error: unknown, _req: Request, res: Response, next: NextFunction) => {
		if (res.headersSent) return next(error);
		const notFound = error instanceof ServiceError && error.kind === 'notFound';
		const message = error instanceof Error ? error.message : 'Failed';
		res.status(notFound ? 404 : 400).json({ error: message });
	});
	return router;
}

/** The sandbox's state as the control page shows it. */
function overview(sandbox: Sandbox) {
	const links = sandbox.links.state;
	return {
		services: servicesOf(sandbox).map(({ name, baseUrl, apiKey }) => ({ name, baseUrl, apiKey })),
		qrCodes: namesIn(links.qrs),
		files: namesIn(links.files),
		channels: namesIn(links.channels),
		operations: Object.entries(OPERATIONS).map(([call, { does }]) => ({ call, does })),
	};
}

/** The names that the control page offers, newest first. */
function namesIn(list: Sandbox['links']['state']['qrs' | 'files' | 'channels']) {
	return list.newest(0, list.size).map(({ id, name }) => ({ id, name }));
}

function perform(sandbox: Sandbox, operation: Operation, req: Request, res: Response): void {
	const input: unknown = { ...req.query, ...(req.body as object | undefined), ...req.params };
	const result = operation.run(sandbox, checked(operation.input, input, 'field'));
	res.json(result ?? { done: true });
}
