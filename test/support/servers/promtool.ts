import { spawnSync } from 'node:child_process'

const isInstalled = spawnSync('promtool', ['--version']).status === 0

/**
 * Whether this machine has Prometheus' checker. Without it the tests print a notice, and fail in CI, where skipped
 * tests would count as passed.
 */
export function hasPromtool(): boolean {
  if (isInstalled) return true
  if (process.env.CI === 'true') throw new Error('promtool is missing: apt-get install prometheus')
  process.stderr.write('promtool is missing, so alert rules and metrics are not checked by it here\n')
  return false
}

/** Runs promtool. @returns its status and all that it printed. */
export function promtool(args: readonly string[], input = ''): { status: number | null; output: string } {
  const { status, stdout, stderr } = spawnSync('promtool', args, { input, encoding: 'utf8' })
  return { status, output: stdout + stderr }
}
