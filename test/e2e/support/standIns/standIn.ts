import type { Express } from 'express';

/** The part of a service on the internet that the nodes of the examples use. */
export interface StandIn {
	/** The service's own hosts, which n8n's nodes have built in. */
	hosts: string[];
	addRoutes(app: Express): void;
	/** Forgets everything. */
	reset(): void;
}
