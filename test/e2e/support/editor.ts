import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import {
	chromium,
	type Browser,
	type BrowserContextOptions,
	type Locator,
	type Page,
} from 'playwright-core';
import { programPath, until, type Owner } from '../../../tools/host';
import { PROJECT_DIR } from '../../../tools/package';

const SCREENSHOTS = join(PROJECT_DIR, 'test-results', 'screenshots');
const VIEWPORT = { width: 1280, height: 800 };
/** No requests to Google's servers, and no Chromium sandbox, which containers reject. */
const CHROMIUM_ARGS = [
	'--no-sandbox',
	'--disable-gpu',
	'--disable-background-networking',
	'--disable-component-update',
	'--disable-sync',
];

const RETRY_AFTER_MS = 10_000;

/** How the palette names triggers. */
const TRIGGER = /^\s*On /;

type Margins = Record<'left' | 'top' | 'right' | 'bottom', number>;

/** n8n's editor as a user sees it. Every method waits until the page shows its effect. */
export class Editor {
	private shots = 0;

	private constructor(
		private readonly browser: Browser,
		readonly page: Page,
		private readonly url: string,
	) {}

	/** Opens a browser in light colors and signs in. */
	static async open(
		url: string,
		{ email, password }: Owner,
		options: BrowserContextOptions = {},
	): Promise<Editor> {
		const browser = await chromium.launch({
			executablePath: await programPath('chromium'),
			args: CHROMIUM_ARGS,
		});
		const page = await browser.newPage({ viewport: VIEWPORT, colorScheme: 'light', ...options });
		page.setDefaultTimeout(120_000);
		await mkdir(SCREENSHOTS, { recursive: true });
		await page.goto(`${url}/signin`);
		await page.fill('input[name=emailOrLdapLoginId]', email);
		await page.fill('input[type=password]', password);
		await page.click('button:has-text("Sign in")');
		await page.waitForURL(/home|workflow/);
		return new Editor(browser, page, url);
	}

	async close(): Promise<void> {
		await this.browser.close();
	}

	/** Saves a numbered screenshot of the page. */
	async screenshot(name: string): Promise<void> {
		this.shots += 1;
		const number = String(this.shots).padStart(2, '0');
		const path = join(SCREENSHOTS, `${number}-${name.replace(/\W+/g, '-')}.png`);
		await this.page.screenshot({ path, animations: 'disabled' });
	}

	/** Saves a picture of the area that contains these parts, with margins in pixels. */
	async picture(path: string, parts: Locator[], margins: Partial<Margins> = {}): Promise<void> {
		const found = await Promise.all(parts.map(async (part) => await part.boundingBox()));
		const boxes = found.filter((box) => box !== null);
		const { left, top, right, bottom } = { left: 0, top: 0, right: 0, bottom: 0, ...margins };
		const x = Math.min(...boxes.map((box) => box.x)) - left;
		const y = Math.min(...boxes.map((box) => box.y)) - top;
		const width = Math.max(...boxes.map((box) => box.x + box.width)) + right - x;
		const height = Math.max(...boxes.map((box) => box.y + box.height)) + bottom - y;
		await this.page.screenshot({ path, clip: { x, y, width, height }, animations: 'disabled' });
	}

	/** A page that is still loading can lose a click, so it's repeated until it has its effect. */
	private async clickUntil(target: Locator, effect: Locator): Promise<void> {
		await until(`a click to show ${effect}`, async () => {
			if (!(await effect.isVisible())) await target.click({ timeout: RETRY_AFTER_MS });
			await effect.waitFor({ timeout: RETRY_AFTER_MS });
			return true;
		});
	}

	async newWorkflow(): Promise<void> {
		await this.page.goto(`${this.url}/workflow/new`);
		await this.byTestId('canvas-add-button').waitFor();
	}

	/** Opens a stored workflow. */
	async openWorkflow(id: string): Promise<void> {
		await this.page.goto(`${this.url}/workflow/${id}`);
		await this.byTestId('canvas-node').first().waitFor();
	}

	/** Drags the parameters of the open node to the left, so that the output is wide. */
	async widenOutput(): Promise<void> {
		await this.byTestId('panel-drag-button').hover();
		await this.page.mouse.down();
		await this.page.mouse.move(0, 0, { steps: 5 });
		await this.page.mouse.up();
	}

	/** Opens the panel of a node on the canvas. */
	async openNode(name: string): Promise<void> {
		await this.page.locator(`[data-test-id=canvas-node][data-node-name="${name}"]`).dblclick();
		await this.panel.waitFor();
	}

	/** Opens the palette to add the next node. */
	async openPalette(): Promise<void> {
		const plus = this.byTestId('canvas-handle-plus').last();
		await this.clickUntil(this.byTestId('canvas-add-button').or(plus).first(), this.paletteSearch);
	}

	/** Searches the open palette for a node, and returns its place among the results, from 1. */
	async searchPalette(words: string, node: string): Promise<number> {
		const found = this.paletteEntries(node).first();
		// A palette that is still opening replaces its search field along with what was typed.
		await until(`the palette to find "${words}"`, async () => {
			// Results of an earlier search would still be shown for a moment.
			await this.paletteSearch.fill('', { timeout: RETRY_AFTER_MS });
			await found.waitFor({ state: 'hidden', timeout: RETRY_AFTER_MS });
			await this.paletteSearch.fill(words, { timeout: RETRY_AFTER_MS });
			await found.waitFor({ timeout: RETRY_AFTER_MS });
			return true;
		});
		const entries = await this.byTestId('item-iterator-item').allInnerTexts();
		return entries.findIndex((text) => text.trim().startsWith(node)) + 1;
	}

	/** Adds the found node by one of its actions, which opens the node's panel. */
	async addAction(node: string, action: string): Promise<void> {
		await this.paletteEntries(node).first().click();
		const entry = this.paletteEntries(new RegExp(`^\\s*${action}\\s*$`));
		// On an empty canvas, the palette shows a node's triggers and folds its actions.
		await entry.or(this.paletteEntries(TRIGGER)).first().waitFor();
		if (!(await entry.isVisible())) {
			await this.byTestId('node-creator-category-item').getByText('Actions').click();
		}
		await this.clickUntil(entry, this.panel);
	}

	/** Opens the found node, and returns its triggers. */
	async triggersOf(node: string): Promise<string[]> {
		await this.paletteEntries(node).first().click();
		const triggers = this.paletteEntries(TRIGGER);
		await triggers.first().waitFor();
		return (await triggers.allInnerTexts()).map((text) => text.trim());
	}

	private get paletteSearch(): Locator {
		return this.byTestId('node-creator').locator('input[placeholder*=earch]').last();
	}

	paletteEntries(text: string | RegExp): Locator {
		return this.byTestId('item-iterator-item').filter({ hasText: text });
	}

	/** The open node's panel with input, parameters and output. */
	get panel(): Locator {
		return this.byTestId('ndv');
	}

	/** Chooses an option of a drop-down parameter by its label. */
	async choose(parameter: string, option: string): Promise<void> {
		const item = this.page
			.locator('.el-select-dropdown__item:visible', { hasText: option })
			.first();
		await this.clickUntil(this.parameter(parameter), item);
		await item.click();
	}

	/** Selects one of the stored credentials in the open node, or "new" to create one. */
	async chooseCredential(id: string): Promise<void> {
		const entry = this.byTestId(`node-credentials-select-item-${id}`);
		await this.clickUntil(this.byTestId('node-credentials-select'), entry);
		await entry.click();
		// While the list fades out, its entries could be taken for a parameter's options.
		await entry.waitFor({ state: 'hidden' });
	}

	/** The form of the credential that is being edited. */
	get credentialForm(): Locator {
		return this.byTestId('credential-edit-dialog');
	}

	/** Fills in the open credential's text fields by name, and saves it, which also tests it. */
	async saveCredential(fields: Record<string, string>): Promise<void> {
		for (const [name, text] of Object.entries(fields)) {
			const field = this.credentialForm.locator(`[data-test-id=parameter-input-${name}] input`);
			await field.fill(text);
		}
		await this.byTestId('credential-save-button').click();
	}

	/** The names of the open node's parameters, from top to bottom. */
	async parameterNames(): Promise<string[]> {
		const labels = this.byTestId('node-parameters').locator('[data-test-id=input-label]');
		return (await labels.allInnerTexts()).map((text) => text.trim().split('\n')[0] ?? '');
	}

	parameter(name: string): Locator {
		return this.byTestId(`parameter-input-${name}`);
	}

	/** Enters a record's ID into a resource locator. */
	async enterId(parameter: string, id: string): Promise<void> {
		const locator = this.byTestId(`resource-locator-${parameter}`);
		const byId = this.byTestId('mode-id');
		await this.clickUntil(locator.locator('[data-test-id=rlc-mode-selector]'), byId);
		await byId.click();
		await locator.locator('[data-test-id=rlc-input-container] input').fill(id);
	}

	/** Executes the open node, and waits until its output shows the result. */
	async executeStep(): Promise<'success' | 'error'> {
		// The editor applies typed text after a moment. Then the node has no issues anymore.
		await this.byTestId('node-issues').waitFor({ state: 'detached' });
		await this.byTestId('node-execute-button').click();
		// An item count appears before the error, even if the node fails.
		const status = this.output.locator('[data-test-id^="node-run-status-"]');
		await status.waitFor();
		await this.byTestId('node-execute-button')
			.getByText(/^(Execute step|Fetch Test Event)$/i)
			.waitFor();
		if ((await status.getAttribute('data-test-id')) === 'node-run-status-success') {
			await this.closeNotices();
			return 'success';
		}
		await this.byTestId('node-error-view')
			.or(this.output.getByText('Error details'))
			.first()
			.waitFor();
		return 'error';
	}

	/** Closes the notices that cover the lower right corner. */
	private async closeNotices(): Promise<void> {
		const notices = this.page.locator('.el-notification__closeBtn');
		await notices.first().waitFor();
		for (const notice of await notices.all()) await notice.click();
		await notices.first().waitFor({ state: 'hidden' });
	}

	/** Switches the view of the output. */
	async showAs(mode: 'schema' | 'table' | 'json'): Promise<void> {
		await this.output.locator(`[data-test-id=radio-button-${mode}]`).click();
		// Leaves the button, whose tooltip would cover the output.
		await this.page.mouse.move(0, 0);
	}

	get output(): Locator {
		return this.byTestId('output-panel');
	}

	byTestId(id: string): Locator {
		return this.page.locator(`[data-test-id="${id}"]`);
	}
}
