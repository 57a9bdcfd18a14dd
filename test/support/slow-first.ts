import { BaseSequencer, type TestSpecification } from 'vitest/node'

/**
 * Begins with the files that take longest: with a slow one last, one of the two workers would wait for it.
 * A file's length in bytes, by which vitest goes on a fresh clone, says little about that.
 */
export class SlowFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const others = await super.sort(files)
    const place = ({ moduleId }: TestSpecification) => {
      const found = slow.findIndex((name) => moduleId.endsWith(`/${name}.test.ts`))
      return found === -1 ? slow.length : found
    }
    return others.toSorted((a, b) => place(a) - place(b))
  }
}

/** Measured, in falling order. */
const slow = [
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
