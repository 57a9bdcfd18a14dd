import { existsSync, statfsSync } from 'node:fs'
import { defineConfig } from 'vitest/config'
import { patienceMs } from './support/patience.ts'
import { SlowFirst } from './support/slow-first.ts'

/**
 * Temporary folders in memory, where the system has 4 GB of it: an embedded store has over a thousand small files, and
 * on a disk their creation takes most of the processor time of opening one.
 */
const memory = '/dev/shm'
const hasMemory = existsSync(memory) && freeGb(memory) >= 4

function freeGb(folder: string): number {
  const { bavail, bsize } = statfsSync(folder)
  return (bavail * bsize) / 1e9
}

export default defineConfig({
  test: {
    root: new URL('..', import.meta.url).pathname,
    include: ['test/**/*.test.ts'],
    globalSetup: ['test/support/stores/postgres-server.ts', 'test/support/gateways/code-cache.ts'],
    pool: 'forks',
    // Test files leave no state in modules, so they share them. Compare `npm test -- --isolate` for the time this saves.
    isolate: false,
    // As `npm start`. --liftoff-only keeps V8 from optimizing the WebAssembly of the embedded store, which takes longer
    // than a test file runs (no measurement kept).
    execArgv: ['--liftoff-only', '--expose-gc'],
    ...(hasMemory && { env: { TMPDIR: memory } }),
    // With three, two cores waited for chains and leases for a fifth of the time.
    maxWorkers: 4,
    sequence: { sequencer: SlowFirst },
    reporters: process.env.VITEST_REPORT
      ? ['default', ['json', { outputFile: process.env.VITEST_REPORT }]]
      : ['default'],
    expect: { poll: { timeout: patienceMs } },
    testTimeout: 3 * patienceMs,
    hookTimeout: 3 * patienceMs,
  },
})
