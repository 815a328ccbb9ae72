/** The user's input is invalid. Usually thrown before anything is sent. */
export class InputError extends Error {
	/** @param message what's wrong, naming the parameter as the panel does */
	constructor(
		message: string,
		readonly description?: string,
		/** What was entered instead, in full. Wherever it's shown, it's first masked and then shortened. */
		readonly given?: string,
		/** What else to do, where someone edits the workflow. An agent can't. */
		readonly inEditor?: string,
	) {
		super(message);
	}
}
