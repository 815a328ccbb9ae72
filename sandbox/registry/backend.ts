import type { WindowState } from '../shared/rateLimit';
import type { CompanyDirectory } from './directory';
import type { RegistrySettings } from './settings';

/** The service, as far as its endpoints use it. */
export interface RegistryBackend {
	readonly state: CompanyDirectory;
	readonly settings: RegistrySettings;
	/** Requests per minute or day; null without a limit. */
	limitPer(period: 'minute' | 'day'): number | null;
	/** Requests that the key has left today, and when the day ends; null without a quota. */
	quotaOf(key: string): WindowState | null;
}
