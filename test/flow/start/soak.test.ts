import { expect, test } from 'vitest'
import { runChaos } from '../../soak/chaos.ts'
import { runCopies } from '../../soak/copies.ts'
import { emptyDatabase } from '../../support/stores/database.ts'

/** The short form of `npm run soak`, for every change. */
const limitMs = 120_000

test('no payment is lost or charged twice while gateways are killed, the node fails, callers disconnect, a third account front-runs and the chain drops blocks', {
  timeout: limitMs,
}, async ({ signal }) => {
  const report = await runChaos({
    databaseUrl: await emptyDatabase(),
    seed: 'brief',
    payments: 60,
    payers: 6,
    atOnce: 12,
    kills: 2,
    outages: 1,
    storeCuts: 1,
    dropShare: 0.15,
    doubleShare: 0.25,
    faultShare: 0.03,
    frontRunShare: 0.1,
    reorgDepth: 3,
    settledBy: 'gateway',
    timing: 'after',
    envelopes: 'all',
    attemptMs: 3_500,
    patienceMs: 4_000,
    recoveryMs: 40_000,
    progress: () => {},
    stop: signal,
  })
  expect(report.violations).toEqual([])
  expect(report.chain.transfers).toBe(60)
  expect(report.kills).toBe(2)
  // Otherwise the run would prove nothing.
  expect(report.faults).toBeGreaterThan(0)
  expect(report.cuts).toBeGreaterThan(0)
  expect(report.droppedBlocks).toBeGreaterThan(0)
})

test('fifty copies of a payment in every envelope, sent to two gateway processes at once, run the handler once and are charged once, in each round', {
  timeout: limitMs,
}, async () => {
  const report = await runCopies({ databaseUrl: await emptyDatabase(), seed: 'brief', rounds: 3 })
  expect(report).toMatchObject({ violations: [], copies: 150, runs: 3, transfers: 3, amount: 750_000n })
})
