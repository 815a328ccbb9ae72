/**
 * Loaded into n8n by `--require`: sends requests to the hosts in STAND_IN_HOSTS to the address in
 * STAND_IN_URL, unencrypted. Both are environment variables; the hosts are separated by commas.
 */
const http = require('node:http');
const https = require('node:https');

const HOSTS = (process.env.STAND_IN_HOSTS ?? '').split(',');

const { request } = https;
https.request = function (options, ...rest) {
	if (!HOSTS.includes(options.hostname)) return request.call(this, options, ...rest);
	const { hostname, port } = new URL(process.env.STAND_IN_URL);
	// The agent, the name's look-up and the certificate's name belong to the real address.
	const { agent, agents, lookup, servername, ...kept } = options;
	return http.request({ ...kept, protocol: 'http:', host: hostname, hostname, port }, ...rest);
};
