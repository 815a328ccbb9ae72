const { mkdir, readdir, rm, writeFile } = require('node:fs/promises');
const { dirname, join } = require('node:path');
const { Transform } = require('node:stream');
const { dest, parallel, series, src } = require('gulp');
const { optimize } = require('svgo');
const manifest = require('./package.json');

/** What the compiler (sources and codex files) and the tasks below write to dist/. */
const OWN_FOLDERS = ['credentials', 'icons', 'nodes'];

/** Deletes what n8n's build copies too much: all images in the clone, even those of test runs. */
async function tidy() {
	for (const folder of await readdir('dist')) {
		if (!OWN_FOLDERS.includes(folder)) await rm(join('dist', folder), { recursive: true });
	}
}

/** Removes editors' metadata from icons, but keeps the viewBox, so n8n can show them at any size. */
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

/** Writes the output schemas, which n8n's editor reads from `__schema__` next to a compiled node. */
async function schemas() {
	require('tsx/cjs');
	const { outputSchemas } = require('./tools/package/outputSchemas.ts');
	for (const compiled of manifest.n8n.nodes) {
		const [NodeClass] = Object.values(require(join(__dirname, compiled)));
		const folder = join(__dirname, dirname(compiled), '__schema__', 'v1.0.0');
		for (const [operation, schema] of Object.entries(outputSchemas(new NodeClass().description))) {
			const file = join(folder, `${operation}.json`);
			await mkdir(dirname(file), { recursive: true });
			await writeFile(file, `${JSON.stringify(schema, null, 2)}\n`);
		}
	}
}

exports.default = series(tidy, parallel(icons, schemas));
