/** What a release is made of. */
export interface Release {
	manifest: {
		name: string;
		version: string;
		author?: { name?: string; email?: string };
		repository?: { url?: string };
	};
	changelog: string;
	/** The git tag of the commit, if it has one. */
	tag?: string;
	/** `owner/name` on GitHub where the workflow runs; absent on a developer's machine. */
	workflowRepository?: string;
	/** Whether files differ from the commit. */
	hasChanges: boolean;
	/** The files of the archive as text, by path. */
	files: Record<string, string>;
}

/** Placeholders for the owner and the address of the author. */
const PLACEHOLDER_OWNER = /github\.com\/link-company\//;
const PLACEHOLDER_ADDRESS = /@[\w.-]*\bexample(\.(com|org|net))?$/;

/** Why a release must not be published; empty if it may be. */
export function releaseProblems(release: Release): string[] {
	const { manifest, changelog, tag, workflowRepository, hasChanges, files } = release;
	const { version, author, repository } = manifest;
	const problems: string[] = [];

	if (tag !== `v${version}`) {
		problems.push(`The tag is ${tag ?? 'missing'}, but package.json says v${version}.`);
	}
	if (hasChanges) problems.push('Files differ from the tagged commit.');

	if (!hasEntry(changelog, version)) {
		problems.push(
			`CHANGELOG.md has no heading "## [${version}] - YYYY-MM-DD" with at least one change below it.`,
		);
	}

	if (!author?.email || PLACEHOLDER_ADDRESS.test(author.email)) {
		problems.push('package.json: the author needs a real email address.');
	}
	const placeholders = Object.keys(files).filter((path) =>
		PLACEHOLDER_OWNER.test(files[path] ?? ''),
	);
	if (placeholders.length > 0) {
		problems.push(
			`Replace the placeholder owner github.com/link-company in: ${placeholders.join(', ')}`,
		);
	}

	if (workflowRepository === undefined) {
		problems.push(
			'n8n accepts only packages with a provenance statement: publish a GitHub release, and the workflow publishes to npm.',
		);
	} else if (!repository?.url?.endsWith(`github.com/${workflowRepository}.git`)) {
		problems.push(
			`package.json: repository.url must be git+https://github.com/${workflowRepository}.git, or npm rejects the provenance statement.`,
		);
	}
	return problems;
}

/** Whether the changelog has a dated entry for a version, with a list of changes. */
function hasEntry(changelog: string, version: string): boolean {
	const [, ...entries] = changelog.split(/^## /m);
	const entry = entries.find((text) => text.startsWith(`[${version}]`)) ?? '';
	return /^\[[^\]]+\] - \d{4}-\d\d-\d\d$/m.test(entry) && /^- \S/m.test(entry);
}
