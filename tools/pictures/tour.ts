import '../cli/resolveSources';
import { Editor } from '../../test/e2e/support/editor';
import { runProgram } from '../cli/program';
import { buildPackage } from '../package';
import { OWNER, startStage } from '../stage/stage';
import { chain, companyRegistry, startWith, trigger } from '../stage/workflows';

void runProgram(async (signal, cleanup) => {
	await buildPackage(signal);
	const { api, credentials, n8n } = await startStage({ signal, cleanup, sandbox: {} } as never);
	const editor = await Editor.open(n8n.url, OWNER, { viewport: { width: 1440, height: 900 } });
	cleanup.add(async () => await editor.close());
	const shot = async (name: string) => { await editor.page.waitForTimeout(1500); await editor.screenshot(name); console.log('shot', name); };
	const attempt = async (name: string, work: () => Promise<void>) => {
		try { await work(); } catch (error) { console.log('FAILED', name, (error as Error).message.split('\n')[0]); await shot('failed-' + name).catch(() => undefined); }
	};
	const rows = [
		{ Firma: 'Ruscateza Vin', localitate: 'Balti', 'CRM status': 'active' },
		{ Firma: 'DORNSANI SOFT', localitate: 'Vadul lui Voda', 'CRM status': 'active' },
		{ Firma: 'ostrulina gastro', localitate: 'Ceadir-Lunga', 'CRM status': 'x' },
		{ Firma: 'Constructor SRL', localitate: 'Codru', 'CRM status': '' },
		{ Firma: 'Nimeni Nicăieri', localitate: 'Chișinău', 'CRM status': '' },
	];
	await attempt('enrich', async () => {
		const id = await api.createWorkflow(chain('Tour', [...startWith(rows), companyRegistry('Enrich', credentials.registry, { resource: 'company', operation: 'enrich' })]) as never);
		await editor.openWorkflow(id as never);
		await editor.openNode('Enrich');
		await shot('enrich-panel');
		await editor.executeStep();
		await editor.showAs('table');
		await shot('enrich-table');
		await editor.widenOutput();
		await shot('enrich-wide');
		await editor.byTestId('collection-parameter-add').first().click();
		await shot('enrich-options');
	});
	await attempt('trigger', async () => {
		const wf = chain('Watch', [trigger('companyStatusChanged', credentials.registry, [{ mode: 'everyHour', minute: 0 }], {})]);
		const id = await api.createWorkflow(wf as never);
		await editor.openWorkflow(id as never);
		await editor.byTestId('canvas-node').first().dblclick();
		await editor.panel.waitFor();
		await shot('trigger-panel');
	});
	for (const [name, parameters] of [['get', { resource: 'company', operation: 'get' }], ['search', { resource: 'company', operation: 'search' }], ['request', { resource: 'apiRequest', operation: 'send' }]] as const) {
		await attempt(name, async () => {
			const id = await api.createWorkflow(chain(name, [...startWith(rows), companyRegistry('Node', credentials.registry, parameters)]) as never);
			await editor.openWorkflow(id as never);
			await editor.openNode('Node');
			await shot(name);
		});
	}
	await attempt('palette', async () => {
		await editor.newWorkflow();
		await editor.openPalette();
		for (const words of ['status change', 'firma', 'qr']) {
			await editor.page.locator('input[placeholder*=earch]').last().fill(words);
			await shot('palette-' + words);
		}
		await editor.searchPalette('short link', 'Link Management').then(async (found) => await found.first().click());
		await shot('actions');
	});
});
