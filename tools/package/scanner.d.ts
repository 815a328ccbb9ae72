declare module '@n8n/scan-community-package/scanner/scanner.mjs' {
	/** The files of a source tree that n8n's scan looks at. */
	export const SOURCE_FILE_PATTERNS: string[];

	/** Lints a directory by the rules that community packages must pass; inline disables are ignored. */
	export function analyzePackage(
		directory: string,
		filePatterns?: string[],
	): Promise<{ passed: boolean; message?: string; details?: string }>;
}
