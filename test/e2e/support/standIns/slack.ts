import type { StandIn } from './standIn';

export interface SlackMessage {
	channel: string;
	text: string;
}

/** Slack, as far as messages are posted. */
export class Slack implements StandIn {
	readonly hosts = ['slack.com'];
	readonly messages: SlackMessage[] = [];

	reset() {
		this.messages.length = 0;
	}

	addRoutes: StandIn['addRoutes'] = (app) => {
		app.post('/api/chat.postMessage', (req, res) => {
			const message = req.body as SlackMessage;
			this.messages.push(message);
			res.json({ ok: true, channel: message.channel, ts: '1', message: { text: message.text } });
		});
	};
}
