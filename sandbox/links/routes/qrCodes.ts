import { SeededRandom } from '../../shared/random';
import type { QrCode } from '../records';
import { idParams, listQuery } from '../schemas';
import type { LinkSettings } from '../settings';
import type { AddRoutes } from './addRoutes';
import { found } from './found';

export const addQrCodeRoutes: AddRoutes = (service, add) => {
	add({
		method: 'get',
		path: '/api/qr',
		query: listQuery,
		handle: ({ query }, exchange) => service.answerList('qrs', service.state.qrs, query, exchange),
	});

	add({
		method: 'get',
		path: '/api/qr/:id',
		params: idParams,
		handle: ({ params }) =>
			singleQr(found(service.state.qrs.get(params.id), 'QR code'), service.settings),
	});
};

/** The document does not show this body; these are the plausible ones. */
function singleQr(qr: QrCode, settings: LinkSettings): object {
	const { id, link, scans, name, date } = qr;
	const record = { id, link, scans, [settings.singleQrNameKey]: name, date };
	switch (settings.singleQr) {
		case 'data':
			return { data: record };
		case 'details':
			return { details: record, data: statisticsOf(qr) };
		case 'top':
			return record;
	}
}

function statisticsOf({ id, scans }: QrCode) {
	const atHome = Math.round(scans * 0.7);
	return {
		clicks: scans,
		uniqueClicks: Math.round(scans * (0.5 + new SeededRandom(`unique ${id}`).next() / 2)),
		topCountries: { Moldova: atHome, Romania: scans - atHome },
		topReferrers: { direct: scans },
	};
}
