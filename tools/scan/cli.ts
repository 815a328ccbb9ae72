import { PROJECT_DIR } from '../package/pack';
import { scan } from './scan';

scan(PROJECT_DIR).then(
	() => console.log('sources and archive: passed'),
	(error: Error) => {
		console.error(error.message);
		process.exitCode = 1;
	},
);
