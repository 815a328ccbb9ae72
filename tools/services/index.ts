export { startPostgres, type Postgres } from './postgres';
export { programPath, providePrograms, SERVER_PROGRAMS } from './programs';
export { queueModeEnvironment } from './queueMode';
export { startRedis, type Service } from './redis';
