import { InvalidArgumentError } from 'commander';

export const DEFAULT_SANDBOX_PORT = 8090;

/** @throws InvalidArgumentError for anything but a port number */
export function parsePort(value: string): number {
	const port = Number(value);
	if (Number.isInteger(port) && port >= 1 && port <= 65_535) return port;
	throw new InvalidArgumentError('A port is a whole number from 1 to 65535.');
}
