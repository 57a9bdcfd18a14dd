/**
 * `listed`: everyone can find it. `withdrawn`: the site asks not to be listed. `removed`: the operator took it out,
 * and no scan brings it back.
 */
export const listingStates = ['listed', 'withdrawn', 'removed'] as const

export type ListingState = (typeof listingStates)[number]

/** What the directory knows of a site. Only a listed one has texts and scores. */
export interface ListingRow {
  /** As in the scans. */
  domain: string
  /** Never changes. */
  slug: string
  state: ListingState
  businessName: string | null
  industry: string | null
  description: string | null
  /** 0 to 100, as the AEO score. */
  readinessScore: number | null
  aeoScore: number | null
  /** The scan that decided the state; null when the operator did. */
  scanId: string | null
  /** When that scan was accepted. */
  scannedAt: Date | null
  createdAt: Date
  updatedAt: Date
}

/** When work that one gateway does for all of them was last begun. */
export interface ChoreRow {
  name: string
  ranAt: Date
}
