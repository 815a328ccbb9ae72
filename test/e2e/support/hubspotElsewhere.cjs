/**
 * Loaded into n8n by `--require`: sends what is meant for HubSpot's API to the address that the
 * environment variable HUBSPOT_URL names, unencrypted.
 */
const http = require('node:http');
const https = require('node:https');

const HUBSPOT = 'api.hubapi.com';

const { request } = https;
https.request = function (options, ...rest) {
	if (options.hostname !== HUBSPOT) return request.call(this, options, ...rest);
	const { hostname, port } = new URL(process.env.HUBSPOT_URL);
	// The agent, the name's look-up and the certificate's name belong to the real address.
	const { agent, agents, lookup, servername, ...kept } = options;
	return http.request({ ...kept, protocol: 'http:', host: hostname, hostname, port }, ...rest);
};
