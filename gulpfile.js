const { dest, parallel, src } = require('gulp');
const { Transform } = require('node:stream');
const { optimize } = require('svgo');

/** Icons keep their viewBox, so that n8n can show them at any size, and lose what editors add. */
function icons() {
	const optimise = new Transform({
		objectMode: true,
		transform(file, _encoding, done) {
			const { data } = optimize(file.contents.toString(), { multipass: true, path: file.path });
			file.contents = Buffer.from(data);
			done(null, file);
		},
	});
	return src('icons/*.svg').pipe(optimise).pipe(dest('dist/icons'));
}

/** What n8n reads beside a compiled node: its codex file and its output schemas. */
function nodeFiles() {
	return src(['nodes/**/*.node.json', 'nodes/**/__schema__/**/*.json'], { base: '.' }).pipe(
		dest('dist'),
	);
}

exports.default = parallel(icons, nodeFiles);
