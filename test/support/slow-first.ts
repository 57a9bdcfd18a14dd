import { BaseSequencer, type TestSpecification } from 'vitest/node'

/**
 * Runs the slowest files first: if a slow file came last, the other workers would wait for it. On a fresh clone vitest
 * sorts by file size, which says little about the time.
 */
export class SlowFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files)
    const place = ({ moduleId }: TestSpecification) => {
      const index = slowest.findIndex((name) => moduleId.endsWith(`/${name}.test.ts`))
      return index === -1 ? slowest.length : index
    }
    return sorted.toSorted((a, b) => place(a) - place(b))
  }
}

/** Slowest first, by the durations of `VITEST_REPORT=report.json npm test`. */
const slowest = [
  'flow/payments/crash',
  'flow/start/start',
  'flow/payments/refund',
  'flow/start/packed',
  'flow/payments/recovery',
  'flow/cli/pay-and-sign',
  'flow/metered/accounts',
  'flow/payments/failover',
  'flow/payments/exposure',
  'flow/payments/remote-facilitator',
  'flow/cli/ledger',
  'flow/start/soak',
  'unit/scan/changes',
  'module/webhooks/worker',
  'flow/start/rolling-restart',
  'flow/keys/renewal',
  'flow/metered/together',
  'flow/cli/keys',
  'module/x402/bad-payments',
  'flow/doors/stalled-gateways',
  'flow/doors/outages',
  'flow/start/demo',
  'module/chain/dev-chain',
  'flow/operator/adopt',
  'flow/payments/published-clients',
  'flow/payments/finality',
  'module/x402/stuck-settlement',
  'flow/cli/readme',
  'flow/payments/cdp',
  'flow/doors/together',
  'flow/scans/stream',
  'flow/scans/directory',
  'flow/keys/purchase',
]
