export function escapeHtml(text: string): string {
	return text
		.replace(/&/g, '&amp;')
		.replace(/</g, '&lt;')
		.replace(/>/g, '&gt;')
		.replace(/"/g, '&quot;');
}

/** A whole page; `body` is HTML already. */
export function htmlPage(title: string, body: string, style = ''): string {
	const styleElement = style && `<style>${style}</style>`;
	return `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><title>${escapeHtml(title)}</title>${styleElement}</head>
<body>${body}</body>
</html>
`;
}
