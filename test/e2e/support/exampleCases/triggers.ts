import { until } from '../../../../tools/host';
import type { ExampleCase } from '../exampleScene';

const WINERY = '1000600900002';
const BAKERY = '1001600900009';

export const watchCompanies: ExampleCase = async (scene) => {
	const { control } = scene.stage.sandbox.registry.v1;
	await scene.publish('watch-companies');

	const { name } = control.update(WINERY, { status: 'suspended' });

	expect(await scene.firstOutputs('watch-companies', 'Tell about the company')).toEqual([
		{ idno: WINERY, message: `${name}: active → suspended` },
	]);
};

export const watchNewFiles: ExampleCase = async (scene) => {
	const { control } = scene.stage.sandbox.links;
	await scene.publish('watch-new-files');

	const { id, name, shorturl } = control.addFile({ name: 'menu.pdf' });

	expect(await scene.firstOutputs('watch-new-files', 'Tell about the file')).toEqual([
		{ fileId: id, message: `New file: ${name} (${shorturl})` },
	]);
};

export const watchQrScans: ExampleCase = async (scene) => {
	const { control, state } = scene.stage.sandbox.links;
	const code = state.qrs.all().find(({ scans }) => scans > 0);
	if (!code) throw new Error('The sandbox has no QR code that was scanned');
	await scene.publish('watch-qr-scans');

	const scans = control.scan(code.id, 7);

	expect(await scene.firstOutputs('watch-qr-scans', 'Tell about the scans')).toEqual([
		{ qrCodeId: code.id, message: `7 new scans of ${code.name}, ${scans} in all` },
	]);
};

export const companiesToCrm: ExampleCase = async (scene) => {
	const { crm, stage } = scene;
	const { control, state } = stage.sandbox.registry.v1;
	const company = state.get(WINERY);
	await scene.createTable('companies-to-crm');
	await crm.execute(
		`INSERT INTO customers (idno, name, status) VALUES ('${WINERY}', 'Old name', 'active')`,
	);
	await scene.publish('companies-to-crm');

	control.update(WINERY, { status: 'in_liquidation', rating: 'F' });

	const row = await until('the row to change', async () => {
		const [customer] = await crm.select<{ status: string }>('SELECT * FROM customers');
		return customer?.status === 'in_liquidation' && customer;
	});
	expect(row).toMatchObject({ name: company?.name, rating: 'F' });
	expect(await crm.select('SELECT idno FROM customers')).toHaveLength(1);
};

export const customerStatusAlert: ExampleCase = async (scene) => {
	const { control } = scene.stage.sandbox.registry.v1;
	const { mails } = scene.mailServer;
	await scene.publish('customer-status-alert');

	control.update(BAKERY, { rating: 'C' });
	await scene.firstOutputs('customer-status-alert', 'When a customer changes');
	expect(mails).toEqual([]);

	const { name } = control.update(WINERY, { status: 'suspended' });
	const [alert] = await until('the alert', () => mails.length > 0 && mails);
	expect(alert?.to).toEqual([expect.objectContaining({ address: 'accounting@shop.example' })]);
	expect(alert?.subject).toBe(`${name}: suspended, rating C`);
	expect(alert?.html).toContain(`IDNO ${WINERY}`);
	expect(alert?.html).toContain('Status: active → suspended');

	control.update(BAKERY, { rating: 'F' });
	const [, fallen] = await until('the second alert', () => mails.length > 1 && mails);
	expect(fallen?.html).toContain(`IDNO ${BAKERY}`);
	expect(fallen?.html).toContain('Rating: C → F');
	expect(mails).toHaveLength(2);
};

export const weeklyQrReport: ExampleCase = async (scene) => {
	const { control, state } = scene.stage.sandbox.links;
	const { mails } = scene.mailServer;
	// Of one page, or a report could see the scans of one and not yet those of the other.
	const [often, rarely] = state.qrs.slice('newest-first', 0, 2);
	if (!often || !rarely) throw new Error('The sandbox has no QR codes');
	await scene.publish('weekly-qr-report');
	const [first] = await until('the first report', () => mails.length > 0 && mails);
	expect(first?.subject).toBe('QR codes: the report begins');
	expect(first?.html).toContain(`There are ${state.qrs.size} QR codes.`);
	// The counts are kept after the mail.
	await scene.firstOutputs('weekly-qr-report', 'Remember for next week');

	control.scan(rarely.id, 3);
	control.scan(often.id, 7);

	const report = await until('a report of the scans', () =>
		mails.find(({ html }) => html?.includes(often.link)),
	);
	expect(report.subject).toBe('QR codes: 10 scans this week');
	expect(report.to).toEqual([expect.objectContaining({ address: 'marketing@shop.example' })]);
	const rows = [...(report.html ?? '').matchAll(/<tr><td>.*?<\/tr>/g)].map(([row]) => row);
	expect(rows).toEqual(
		[often, rarely].map(
			({ link, name, scans }, index) =>
				`<tr><td><a href="${link}">${name}</a></td><td>${index === 0 ? 7 : 3}</td><td>${scans}</td></tr>`,
		),
	);
	// Later ones report none of them again.
	await until('a report without scans', () => {
		const later = mails.slice(mails.indexOf(report) + 1);
		return later.some(({ subject }) => subject === 'QR codes: 0 scans this week');
	});
};
