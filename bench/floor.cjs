/**
 * The floor: the same requests by Node's own HTTP client, 20 kept-alive connections, nothing else.
 * Gets `{ count, requests: [{ method, path, body }] , origin, authorization }` on standard input
 * and prints the milliseconds. Plain JavaScript, because n8n's own Node runs it.
 */
'use strict';

const { Agent, request } = require('node:http');
const { readFileSync } = require('node:fs');

const CONNECTIONS = 20;
const { origin, authorization, requests } = JSON.parse(readFileSync(0, 'utf8'));
const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS });

function send({ method, path, body }) {
	return new Promise((resolve, reject) => {
		const headers = { authorization, accept: 'application/json' };
		if (body) headers['content-type'] = 'application/json';
		const sent = request(origin + path, { method, agent, headers }, (response) => {
			let text = '';
			response.setEncoding('utf8');
			response.on('data', (chunk) => (text += chunk));
			response.on('end', () => resolve(JSON.parse(text)));
		});
		sent.on('error', reject);
		sent.end(body && JSON.stringify(body));
	});
}

async function main() {
	const start = performance.now();
	await Promise.all(requests.map(send));
	console.log(performance.now() - start);
	agent.destroy();
}

void main();
