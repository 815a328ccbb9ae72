import { freePort, isPortFree } from '../host/ports';

export interface PortChoice {
	/** What listens on it, for messages. */
	program: string;
	/** The command-line option that sets it. */
	option: string;
	wanted: number | undefined;
	usual: number;
	/** Takes any free port if the user chose none and the usual one is taken. */
	flexible: boolean;
}

/**
 * The port to listen on.
 *
 * @throws an Error for the user when the port is taken
 */
export async function choosePort(choice: PortChoice): Promise<number> {
	const port = choice.wanted ?? choice.usual;
	if (await isPortFree(port)) return port;
	if (choice.flexible && choice.wanted === undefined) return await freePort();
	throw new Error(portTakenMessage(choice.program, port, choice.option));
}

export function portTakenMessage(program: string, port: number, option: string): string {
	const example = port < 65_535 ? port + 1 : port - 1;
	return (
		`Port ${port} for ${program} is in use by another program. ` +
		`Stop that program or choose another port with ${option} ${example}.`
	);
}
