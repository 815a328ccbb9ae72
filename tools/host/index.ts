export {
	N8nApi,
	parseExecutionData,
	type Execution,
	type ExecutionData,
	type Owner,
	type WorkflowFile,
} from './api';
export {
	OLDER_VERSIONS,
	provideHost,
	type Host,
	type OlderVersion,
	type ProvideOptions,
} from './install';
export { startN8n, type N8nProcess, type StartOptions } from './n8n';
export { choosePort, freePort, LOOPBACK } from './ports';
export { run, startSubprocess, type RunOptions, type Subprocess } from './subprocess';
export { until } from './until';
