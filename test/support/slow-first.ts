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
  'flow/payments/published-clients',
  'flow/payments/crash',
  'flow/start/start',
  'flow/payments/remote-facilitator',
  'flow/payments/refund',
  'flow/cli/pay-and-sign',
  'flow/start/demo',
  'flow/payments/failover',
  'flow/start/reload',
  'flow/payments/recovery',
  'flow/cli/ledger',
  'flow/start/soak',
  'module/chain/dev-chain',
  'module/x402/stuck-settlement',
  'flow/payments/finality',
  'flow/cli/locate-gateway',
  'flow/cli/keys',
  'flow/payments/cdp',
  'flow/doors/together',
  'module/store/jobs',
  'flow/scans/scans',
  'module/quota/memory',
  'flow/payments/before',
  'flow/keys/renewal',
  'module/scan/worker',
  'flow/keys/purchase',
]
