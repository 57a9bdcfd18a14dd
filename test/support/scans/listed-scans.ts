import type { Books } from '../../../src/platform/store/books.ts'
import { renewListing } from '../../../src/products/directory/listings.ts'
import type { Analysis } from '../../../src/products/scan/findings/results.ts'
import { createScan, type NewScan } from '../../../src/products/scan/scans/accepted-scans.ts'
import { listableSite } from '../../../src/products/scan/scans/listable-scans.ts'
import { advance, begin, complete, createScans, type Scans } from '../../../src/products/scan/scans/scans.ts'
import { analysis } from './scans.ts'

/** Scans that list their sites when they are complete, as in a gateway. */
export function createListedScans({ queries, clock }: Books): Scans {
  return createScans({ queries, clock }, [
    async (transaction, move) => {
      const site = listableSite(move)
      if (site) await renewListing({ queries: transaction, clock }, site)
    },
  ])
}

/** A scan that waits only for its result. */
export interface Analyzing {
  readonly id: string
  readonly attempt: number
}

export async function analyzing(
  scans: Scans,
  domain: string,
  change: Partial<NewScan> = {},
): Promise<Analyzing> {
  const created = await createScan(scans, {
    ...{ url: `https://${domain}/`, domain, hasScheme: false, depth: 'basic', priority: 0 },
    ...change,
  })
  if (created === 'conflict') throw new Error('the store took a new scan for an earlier one')
  const { id } = created
  const { attempt } = (await begin(scans, id)) ?? {}
  if (attempt === undefined) throw new Error('a new scan could not be begun')
  await advance(scans, id, attempt, { status: 'analyzing', progress: 70, message: 'half' })
  return { id, attempt }
}

/** Makes a complete scan. Its business has this name. */
export async function scanned(
  scans: Scans,
  domain: string,
  businessName: string,
  change: Partial<NewScan> & { readonly analysis?: Partial<Analysis> } = {},
): Promise<string> {
  const { analysis: changed, ...asked } = change
  const { id, attempt } = await analyzing(scans, domain, asked)
  if (!(await complete(scans, id, attempt, named(businessName, changed))))
    throw new Error('a scan could not be completed')
  return id
}

export function named(businessName: string, change: Partial<Analysis> = {}): Analysis {
  return analysis({ listing: { kind: 'welcome', businessName }, ...change })
}

/** An analysis with these scores. */
export function scored(readinessScore: number, aeoScore: number): Pick<Analysis, 'report'> {
  return { report: { ...analysis().report, readinessScore, aeoScore } }
}
