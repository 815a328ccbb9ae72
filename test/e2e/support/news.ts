import type { IDataObject } from 'n8n-workflow';
import type { Sandbox } from '../../../sandbox';
import { accountOfSingles, accountOfSteps, stepOf, type Account } from './accounting';

const NEWS_EVERY_MS = 150;
const SOME_QR_CODES = 5;
const SOME_COMPANIES = 3;

/** The three events of the trigger. */
export const EVENTS = ['fileCreated', 'qrCodeScanned', 'companyStatusChanged'] as const;
export type EventName = (typeof EVENTS)[number];

/** Things that happen in the sandbox by themselves, for every event of the trigger. */
export class News {
	private readonly files: number[] = [];
	private readonly qrCodes: number[];
	readonly companies: string[];
	private readonly scansBefore: Map<unknown, unknown>;
	private readonly statusesBefore: Map<unknown, unknown>;
	private timer: NodeJS.Timeout | undefined;
	private count = 0;

	constructor(private readonly sandbox: Sandbox) {
		const { links, registry } = sandbox;
		this.qrCodes = links.state.qrs.slice('newest-first', 0, SOME_QR_CODES).map(({ id }) => id);
		this.companies = registry.v1.state
			.all()
			.slice(0, SOME_COMPANIES)
			.map(({ idno }) => idno);
		this.scansBefore = this.scans();
		this.statusesBefore = this.statuses();
	}

	start(): void {
		this.timer = setInterval(() => this.happen(), NEWS_EVERY_MS);
	}

	stop(): void {
		clearInterval(this.timer);
	}

	/** Compares what happened with what the trigger emitted for each event. */
	account(emitted: Record<EventName, IDataObject[]>): Record<EventName, Account> {
		const scans = emitted.qrCodeScanned.map((event) =>
			stepOf(event, 'id', 'previousScans', 'scans'),
		);
		const changes = emitted.companyStatusChanged.map((event) =>
			stepOf(event, 'idno', 'previousStatus', 'status'),
		);
		return {
			fileCreated: accountOfSingles(
				this.files,
				emitted.fileCreated.map(({ id }) => Number(id)),
			),
			qrCodeScanned: accountOfSteps(scans, this.scansBefore, this.scans()),
			companyStatusChanged: accountOfSteps(changes, this.statusesBefore, this.statuses()),
		};
	}

	private happen(): void {
		const { links, registry } = this.sandbox;
		this.count += 1;
		const turn = <T>(list: T[]) => list[this.count % list.length] as T;
		this.files.push(links.control.addFile({ name: `news-${this.count}.pdf` }).id);
		links.control.scan(turn(this.qrCodes));
		registry.v1.control.update(turn(this.companies), { status: `status ${this.count}` });
	}

	private scans(): Map<unknown, unknown> {
		return new Map(this.qrCodes.map((id) => [id, this.sandbox.links.state.qrs.get(id)?.scans]));
	}

	private statuses(): Map<unknown, unknown> {
		const { state } = this.sandbox.registry.v1;
		return new Map(this.companies.map((idno) => [idno, state.get(idno)?.status]));
	}
}
