import type { Analysis } from '../../../src/products/scan/findings/results.ts'
import { createScan, type NewScan } from '../../../src/products/scan/scans/accepted-scans.ts'
import { advance, begin, complete, type Scans } from '../../../src/products/scan/scans/scans.ts'

/** Accepts a scan of a domain. @returns its id. */
export async function acceptScan(
  scans: Scans,
  domain: string,
  change: Partial<NewScan> = {},
): Promise<string> {
  const asked = { url: `https://${domain}/`, domain, hasScheme: false, depth: 'basic' as const, priority: 0 }
  const created = await createScan(scans, { ...asked, ...change })
  if (created === 'conflict') throw new Error(`a scan of ${domain} has the idempotency key of another one`)
  return created.id
}

/** Leads a scan of a domain through all its states. @returns its id. */
export async function completeScan(
  scans: Scans,
  domain: string,
  analysis: Analysis,
  change: Partial<NewScan> = {},
): Promise<string> {
  const id = await acceptScan(scans, domain, change)
  const { attempt = 0 } = (await begin(scans, id)) ?? {}
  await advance(scans, id, attempt, { status: 'analyzing', progress: 70, message: 'The pages are read.' })
  if (!(await complete(scans, id, attempt, analysis)))
    throw new Error(`the scan ${id} could not be completed`)
  return id
}
