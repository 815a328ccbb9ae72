import type { LinkService } from './links/service';
import type { RegistryService } from './registry/service';

/** Both services on one port, as documented, and a control interface for tests. */
export interface Sandbox {
	/** Root address without a trailing slash; its page is the control interface. */
	url: string;
	links: LinkService;
	registry: { v1: RegistryService; unversioned: RegistryService };
	/** Resets everything: settings, data, windows, faults, logs. */
	reset(): void;
	close(): Promise<void>;
}
