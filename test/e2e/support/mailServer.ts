import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import PostalMime, { type Email } from 'postal-mime';
import { SMTPServer } from 'smtp-server';
import { LOOPBACK } from '../../../tools/host';

export interface MailServer {
	port: number;
	/** What has arrived, oldest first. */
	mails: Email[];
	stop(): Promise<void>;
}

/** Takes mails for anybody, without a login and without encryption, and keeps them. */
export async function startMailServer(): Promise<MailServer> {
	const mails: Email[] = [];
	const server = new SMTPServer({
		authOptional: true,
		disabledCommands: ['AUTH', 'STARTTLS'],
		disableReverseLookup: true,
		onData(stream, _session, done) {
			buffer(stream)
				.then(async (raw) => mails.push(await PostalMime.parse(raw)))
				.then(() => done(), done);
		},
	});
	await new Promise<void>((resolve, reject) => {
		server.once('error', reject);
		server.listen(0, LOOPBACK, resolve);
	});
	const { port } = server.server.address() as AddressInfo;
	return {
		port,
		mails,
		stop: async () => await new Promise((resolve) => server.close(resolve)),
	};
}
