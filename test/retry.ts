/**
 * Engine and end-to-end tests run against windows of real time, which a busy machine can miss. The
 * first failure is logged, so an unreliable test stays visible.
 */
jest.retryTimes(1, { logErrorsBeforeRetry: true });
