import type { Purpose } from '../site/capture.ts'
import { keep } from './capture-budget.ts'

/** Something that a scan wants to fetch. Whether it is fetched depends on budget, robots.txt and time. */
export interface PlannedFetch {
  readonly purpose: Purpose
  readonly url: string
  /** Decoded bytes of the body that are kept. 0: only status and headers matter. */
  readonly keepBytes: number
  readonly headers?: Readonly<Record<string, string>>
  readonly userAgent?: string
  /** Reads the body to its end although little of it is kept, so that the connection can be used again. */
  readonly readsThrough?: boolean
  /** Sends HEAD first, and GET when the server refuses HEAD. */
  readonly isHeadEnough?: boolean
  /** Does not follow redirects. */
  readonly staysPut?: boolean
  /** An earlier reply at the same address, fetched for another purpose, serves as well. */
  readonly isReusable?: boolean
}

export const htmlHeaders = { accept: 'text/html,application/xhtml+xml;q=0.9,*/*;q=0.8' }

/** A page as a crawler asks for it. */
export function pageFetch(purpose: 'home' | 'page', url: string): PlannedFetch {
  return { purpose, url, keepBytes: keep.page, headers: htmlHeaders, isReusable: purpose === 'page' }
}

/** The page once more, to measure its speed. */
export function speedFetch(url: string): PlannedFetch {
  return { purpose: 'home-again', url, keepBytes: keep.nothing, headers: htmlHeaders, readsThrough: true }
}

/** An address of which only the status matters. */
export function statusFetch(
  purpose:
    | 'canonical'
    | 'asset'
    | 'picture'
    | 'shown-picture'
    | 'llms-link'
    | 'markdown-link'
    | 'link'
    | 'folder-link',
  url: string,
): PlannedFetch {
  const isReusable = ['link', 'folder-link', 'llms-link', 'markdown-link', 'shown-picture'].includes(purpose)
  return { purpose, url, keepBytes: keep.nothing, isHeadEnough: true, isReusable }
}
