import { existsSync } from 'node:fs'
import { type Browser, chromium } from 'playwright-core'

/** Where Debian's package puts it. */
const program = '/usr/bin/chromium'

/**
 * Whether this machine has a browser for the tests of the pages. Without one they print a notice, and fail in CI,
 * where skipped tests would count as passed.
 */
export function hasBrowser(): boolean {
  if (existsSync(program)) return true
  if (process.env.CI === 'true') throw new Error('chromium is missing: apt-get install chromium')
  process.stderr.write('chromium is missing, so how the pages look is not tested here\n')
  return false
}

/** Starts a browser without a window. */
export function startBrowser(): Promise<Browser> {
  // A container's root has no sandbox. The pages are our own.
  return chromium.launch({ executablePath: program, args: ['--no-sandbox'] })
}
