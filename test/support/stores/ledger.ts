import { randomBytes } from 'node:crypto'
import { createLog } from '../../../src/core/log.ts'
import type { Claim, ClaimLimits } from '../../../src/doors/ledger/claim.ts'
import { type Database, openEmbedded, openPostgres } from '../../../src/platform/store/database.ts'
import { cacheDir, temporaryFolder } from '../chain/chain.ts'
import { freshDatabase } from './database.ts'

/** Books for tests of a payment's life, over each of the two drivers. */
export interface Opened {
  /**
   * Two connections to the same books, as two replicas have; PGlite serves one process, so there both are
   * one.
   */
  readonly one: Database
  readonly other: Database
  close(): Promise<void>
}

const log = createLog('silent')

export async function openFolder(): Promise<Opened> {
  const { folder, remove } = await temporaryFolder()
  const one = await openEmbedded(folder, cacheDir)
  const close = async () => {
    await one.close()
    await remove()
  }
  return { one, other: one, close }
}

export async function openServer(): Promise<Opened> {
  const url = await freshDatabase()
  const [one, other] = await Promise.all([openPostgres(url, log), openPostgres(url, log)])
  const close = async () => void (await Promise.all([one.close(), other.close()]))
  return { one, other, close }
}

export const leaseMs = 10_000
/** The network of the test payments and keys. */
export const chainId = 84_532

/** Limits that no test payer reaches. */
export const limits: ClaimLimits = {
  balance: 2n ** 62n,
  balanceBlock: 1_000n,
  maxInFlight: 1_000,
  settleFirstAfter: 1_000,
  credit: { newPayerCalls: 1_000, newPayerAmount: 2n ** 62n, maxUnsettled: 2n ** 62n },
  newPayerFirst: false,
  handlerLeaseMs: leaseMs,
  settleLeaseMs: leaseMs,
}

export const hex = (bytes: number) => `0x${randomBytes(bytes).toString('hex')}`

/** A new payment, unclaimed. */
export function newPayment(change: Partial<Claim> = {}): Claim {
  return {
    id: hex(32),
    chainId,
    asset: hex(20),
    payer: hex(20),
    nonce: hex(32),
    payTo: hex(20),
    amount: 250_000n,
    scheme: 'exact',
    // With scheme `exact` the taken amount is the signed one.
    authorized: change.amount ?? 250_000n,
    facilitator: null,
    permit: null,
    validAfter: '0',
    // The largest time that a payer can sign, which must come back digit for digit.
    validBefore: (2n ** 256n - 1n).toString(),
    signature: hex(65),
    version: 2,
    operation: 'researchLead',
    requestHash: hex(32),
    idempotencyKey: null,
    timing: 'after',
    ...change,
  }
}
