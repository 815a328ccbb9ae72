/** How many times as long as on the reference machine a test may take here: from 1 to 20. */
export function measureTimeLimitFactor(): number;
