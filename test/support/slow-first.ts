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
  'flow/payments/recovery',
  'module/webhooks/worker',
  'flow/start/soak',
  'unit/scan/changes',
  'flow/metered/accounts',
  'flow/cli/pay-and-sign',
  'flow/payments/failover',
  'flow/payments/remote-facilitator',
  'flow/cli/ledger',
  'flow/payments/exposure',
  'module/x402/bad-payments',
  'flow/metered/together',
  'flow/start/reload',
  'flow/doors/outages',
  'module/chain/dev-chain',
  'module/x402/stuck-settlement',
  'flow/doors/together',
  'flow/cli/keys',
  'flow/keys/renewal',
  'flow/payments/cdp',
  'flow/payments/finality',
  'flow/scans/directory',
  'flow/doors/stalled-gateways',
  'flow/start/demo',
  'flow/payments/published-clients',
  'flow/start/rolling-restart',
  'flow/doors/failures',
  'module/store/jobs',
  'flow/upstreams/examples',
  'flow/keys/purchase',
  'module/scan/analysis-pool',
  'flow/mcp/runner',
  'flow/scans/scans',
]
