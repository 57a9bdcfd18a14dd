import { defineConfig } from 'vitest/config'
import { SlowFirst } from './support/slow-first.ts'

export default defineConfig({
  test: {
    root: new URL('..', import.meta.url).pathname,
    include: ['test/**/*.test.ts'],
    globalSetup: ['test/support/stores/postgres-server.ts'],
    pool: 'forks',
    // No file leaves anything behind in a module, and to load the gateway anew for each takes a fifth of the run.
    isolate: false,
    // As npm start runs it: to optimise the embedded store's code for each file takes longer than the file.
    execArgv: ['--liftoff-only', '--expose-gc'],
    maxWorkers: 3,
    sequence: { sequencer: SlowFirst },
    reporters: process.env.VITEST_REPORT
      ? ['default', ['json', { outputFile: process.env.VITEST_REPORT }]]
      : ['default'],
    testTimeout: 30_000,
    hookTimeout: 60_000,
  },
})
