/**
 * A time limit for this machine. `TIME_LIMIT_FACTOR`, which `.ci/run` and Jest's
 * configuration measure (measure.js), says how much slower it is than the reference machine.
 *
 * @param ms the limit on the reference machine
 */
export function timeLimit(ms: number): number {
	const factor = Number(process.env.TIME_LIMIT_FACTOR ?? 1);
	return factor >= 1 ? ms * factor : ms;
}
