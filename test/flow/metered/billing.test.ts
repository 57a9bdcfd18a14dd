import { expect, test } from 'vitest'
import { runMetered } from '../../soak/metered/metered.ts'
import { startGateway } from '../../support/gateways/gateway.ts'
import { freshDatabase } from '../../support/stores/database.ts'

/** The short form of `npm run soak -- metered`. */
test('after three hundred metered calls, a tenth of them left in the middle, chain, books and meter agree to the unit', {
  timeout: 90_000,
}, async ({ signal }) => {
  const report = await runMetered({
    databaseUrl: await freshDatabase(),
    seed: 'brief',
    calls: 300,
    atOnce: 16,
    wallets: 4,
    keys: 4,
    paidShare: 0.2,
    abortShare: 0.1,
    recoveryMs: 40_000,
    open: async ({ RPC_URL = '', ...settings }) => startGateway(RPC_URL, settings),
    progress: () => {},
    stop: signal,
  })
  expect(report.violations).toEqual([])
  const { chain, payments, meterings } = report.sums
  expect(chain).toBe(payments)
  expect(payments).toBe(meterings)
  // Some calls paid, some were left, and some of those were estimated.
  expect(chain).toBeGreaterThan(0n)
  expect(report.left).toBeGreaterThan(0)
  const doors = Object.values(report.doors)
  expect(doors.every(({ calls }) => calls > 0)).toBe(true)
  expect(doors.reduce((sum, { estimates }) => sum + estimates, 0)).toBeGreaterThan(0)
})
