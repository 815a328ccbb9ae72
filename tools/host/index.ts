export * from './api';
export * from './install';
export * from './n8n';
export * from './ports';
export * from './subprocess';
export * from './until';
