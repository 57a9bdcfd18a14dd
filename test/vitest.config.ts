import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    root: new URL('..', import.meta.url).pathname,
    include: ['test/**/*.test.ts'],
    globalSetup: ['test/support/postgres-server.ts'],
    pool: 'forks',
    maxWorkers: 2,
    reporters: process.env.VITEST_REPORT
      ? ['default', ['json', { outputFile: process.env.VITEST_REPORT }]]
      : ['default'],
    testTimeout: 30_000,
    hookTimeout: 60_000,
  },
})
