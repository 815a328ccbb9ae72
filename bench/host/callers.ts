import { Agent, request } from 'node:http';

/**
 * Posts every body as JSON, so many at a time.
 *
 * @throws when a call is not answered with 2xx
 */
export async function postAll(url: string, bodies: object[], atOnce: number): Promise<void> {
	// n8n closes a connection that has been idle for some seconds; these live for this call only.
	const agent = new Agent({ keepAlive: true, maxSockets: atOnce });
	const waiting = bodies.values();
	const caller = async () => {
		for (const body of waiting) await post(url, body, agent);
	};
	try {
		await Promise.all(Array.from({ length: atOnce }, caller));
	} finally {
		agent.destroy();
	}
}

async function post(url: string, body: object, agent: Agent): Promise<void> {
	await new Promise<void>((resolve, reject) => {
		const headers = { 'content-type': 'application/json' };
		const sent = request(url, { method: 'POST', agent, headers }, (response) => {
			const { statusCode = 0 } = response;
			response.resume().on('error', reject);
			response.on('end', () => {
				if (statusCode >= 200 && statusCode < 300) resolve();
				else reject(new Error(`${url} answered ${statusCode}`));
			});
		});
		sent.on('error', reject).end(JSON.stringify(body));
	});
}
