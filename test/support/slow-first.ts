import { BaseSequencer, type TestSpecification } from 'vitest/node'

/**
 * Begins with the files that take longest: with a slow one last, one of the two workers would wait for it.
 * A file's length in bytes, by which vitest goes on a fresh clone, says little about that.
 */
export class SlowFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const others = await super.sort(files)
    const place = ({ moduleId }: TestSpecification) => {
      const found = slow.findIndex((name) => moduleId.endsWith(`/flow/${name}.test.ts`))
      return found === -1 ? slow.length : found
    }
    return others.toSorted((a, b) => place(a) - place(b))
  }
}

/** Measured, in falling order. */
const slow = [
  'crash',
  'start',
  'remote-facilitator',
  'refund',
  'cli',
  'demo',
  'failover',
  'reload',
  'recovery',
  'ledger-cli',
  'soak',
  'dev-chain',
  'stuck-settlement',
  'finality',
  'operator-cli',
  'keys-cli',
  'cdp',
  'doors-together',
  'jobs',
  'scans',
  'quota-memory',
  'before',
  'key-renewal',
  'scan-worker',
  'key-purchase',
]
