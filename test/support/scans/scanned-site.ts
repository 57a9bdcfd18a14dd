import type { ScannedSite } from '../../../src/products/scan/report/report-page.ts'

/** What a report says of a full scan of a site. */
export function scannedSite(domain: string): ScannedSite {
  return { domain, url: `https://${domain}/`, depth: 'full', completedAt: new Date('2026-11-21T12:00:00Z') }
}
