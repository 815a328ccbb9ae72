import express, { type NextFunction, type Request, type Response, type Router } from 'express';
import type { Sandbox } from '..';
import { deliver, htmlAnswer } from '../shared/answer';
import { ServiceError } from '../shared/errors';
import { parseOrExplain } from '../shared/validation';
import { type Operation, OPERATIONS } from './operations';
import { indexPage } from './page';

/** Characters of a result that fit into a URL. */
const LONGEST_RESULT = 2_000;

/** The control interface: no key, no limits, no log, and for this machine alone. */
export function controlRouter(sandbox: Sandbox): Router {
	const router = express.Router();
	router.use(thisMachineOnly, express.json(), express.urlencoded({ extended: false }));
	router.get('/', (req, res) => {
		const { done, failed } = req.query;
		res.send(indexPage(sandbox, { done: textOf(done), failed: textOf(failed) }));
	});
	for (const operation of OPERATIONS) {
		const handler = (req: Request, res: Response) => perform(sandbox, operation, req, res);
		router[operation.method](operation.path, handler);
	}
	// A form cannot put values into its path, so its fields do.
	router.post('/form', (req, res) => performForm(sandbox, req, res));
	router.use((_req, res) => {
		// Also for a client whose base URL lacks its prefix: HTML instead of JSON, as on the web.
		deliver(res, htmlAnswer(404, '404 Not Found', 'There is no such page; the index is at /'));
	});
	router.use((error: unknown, _req: Request, res: Response, next: NextFunction) => {
		if (res.headersSent) return next(error);
		res.status(400).json({ error: error instanceof Error ? error.message : 'Failed' });
	});
	return router;
}

function thisMachineOnly(req: Request, res: Response, next: NextFunction): void {
	const address = req.socket.remoteAddress ?? '';
	if (/^(::ffff:)?127\.|^::1$/.test(address)) {
		next();
		return;
	}
	res.status(403).json({ error: 'The control interface is available on this machine only' });
}

function perform(sandbox: Sandbox, operation: Operation, req: Request, res: Response): void {
	try {
		const input: unknown = { ...req.query, ...(req.body as object | undefined), ...req.params };
		res.json(run(sandbox, operation, input));
	} catch (error) {
		if (!(error instanceof ServiceError)) throw error;
		res.status(error.kind === 'notFound' ? 404 : 400).json({ error: error.message });
	}
}

/** Runs the operation that the form's `path` names, and returns to the page. */
function performForm(sandbox: Sandbox, req: Request, res: Response): void {
	const { path, ...fields } = req.body as Record<string, string>;
	const operation = OPERATIONS.find(
		(candidate) => candidate.method === 'post' && candidate.path === path,
	);
	try {
		if (!operation) throw new ServiceError('notFound', 'There is no such operation');
		const filled = Object.entries(fields).filter(([, value]) => value !== '');
		const outcome = run(sandbox, operation, Object.fromEntries(filled));
		res.redirect(
			303,
			`/?done=${encodeURIComponent(JSON.stringify(outcome).slice(0, LONGEST_RESULT))}`,
		);
	} catch (error) {
		if (!(error instanceof ServiceError)) throw error;
		res.redirect(303, `/?failed=${encodeURIComponent(error.message)}`);
	}
}

function run(sandbox: Sandbox, operation: Operation, input: unknown): unknown {
	return operation.run(sandbox, parseOrExplain(operation.input, input, 'field')) ?? { done: true };
}

function textOf(value: unknown): string | undefined {
	return typeof value === 'string' ? value : undefined;
}
