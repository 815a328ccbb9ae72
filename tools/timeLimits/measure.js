const { createHash } = require('node:crypto');

/** Milliseconds that one round of `work` takes on an idle machine of the kind the limits were chosen on. */
const REFERENCE_MS = 30;
const ROUNDS = 9;
const HIGHEST_FACTOR = 20;

/** A mix of what tests do: objects, strings, JSON, hashes. */
function work() {
	const counts = {};
	for (let i = 0; i < 50_000; i++) {
		const key = `key${i % 5000}`;
		counts[key] = (counts[key] ?? 0) + i;
	}
	for (let i = 0; i < 40; i++) createHash('sha256').update(JSON.stringify(counts)).digest();
}

/**
 * How many times as long as on the reference machine a test may take here: from 1 to 20, in steps
 * of a tenth. The median round decides, so that one interruption doesn't count and a busy machine does.
 */
function measureTimeLimitFactor() {
	const times = Array.from({ length: ROUNDS }, () => {
		const start = process.hrtime.bigint();
		work();
		return Number(process.hrtime.bigint() - start) / 1e6;
	}).sort((a, b) => a - b);
	const factor = times[Math.floor(ROUNDS / 2)] / REFERENCE_MS;
	return Math.min(HIGHEST_FACTOR, Math.max(1, Math.round(factor * 10) / 10));
}

module.exports = { measureTimeLimitFactor };

if (require.main === module) console.log(measureTimeLimitFactor());
