/**
 * How long a test waits for what has to come before it fails, in milliseconds. It is a guard, and nothing is measured by it:
 * CI has run on a machine that was three times slower than ours.
 */
export const patienceMs = 60_000
