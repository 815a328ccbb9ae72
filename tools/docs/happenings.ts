import type { Sandbox } from '../../sandbox';

/** Makes an event happen in the sandbox, for its sample. */
export type Happening = (
	sandbox: Sandbox,
	watched: { company: string; channel: number },
) => unknown;

export const fileCreated: Happening = ({ links }) => links.control.addFile({ name: 'invoice.pdf' });

export const fileDownloaded: Happening = ({ links }) => links.control.download(20, 3);

export const qrCodeCreated: Happening = ({ links }) => links.control.addQr({ name: 'Menu' });

export const qrCodeScanned: Happening = ({ links }) => links.control.scan(20, 3);

export const channelItemAdded: Happening = ({ links }, { channel }) =>
	links.control.addItem(channel, { type: 'qr', id: 20 });

export const companyFound: Happening = ({ registry }) =>
	registry.v1.control.add({ idno: '1026600012347', name: 'Vin de Soroca SRL', region: 'Soroca' });

export const companyStatusChanged: Happening = ({ registry }, { company }) =>
	registry.v1.control.update(company, { status: 'in_liquidation' });
