/** A running third-party server. */
export interface Service {
	/** On the loopback address. */
	port: number;
	/** Process id of the server, whose own children do part of its work. */
	pid: number | undefined;
	/** The last lines that it printed. */
	logTail(): string;
	/** Settles when the server has ended. */
	ended: Promise<unknown>;
	/** Ends the server, and deletes its data. */
	stop(): Promise<void>;
}
