import type { Depth } from '../site/capture.ts'

/**
 * The limits of one scan: requests, bytes and time. Any caller may scan any website, so without these limits
 * a caller could overload other servers through us, or a hostile server could fill our memory.
 */
export interface CaptureBudget {
  /** All requests, also for robots.txt of every host, each redirect, and the GET after a refused HEAD. */
  readonly requests: number
  /**
   * Of these, requests to other sites, where a sitemap, a link or a redirect leads. They did not ask for a
   * scan.
   */
  readonly foreignRequests: number
  /** Decoded bodies of the whole scan; bodies beyond it are cut. */
  readonly keptBytes: number
  /** Of these, bytes of sitemaps. A few large ones would leave no room for the pages. */
  readonly sitemapBytes: number
  /** Hosts whose robots.txt is read. Addresses on further hosts are not fetched. */
  readonly hosts: number
  readonly requestDeadlineMs: number
  /** For all requests of the scan. It leaves the worker time to read what was fetched. */
  readonly deadlineMs: number
  readonly sitemaps: number
  readonly sitemapsOfIndex: number
  readonly sitemapUrls: number
  readonly pages: number
  readonly links: number
  /** That the pages show. */
  readonly pictures: number
}

const mebibyte = 1024 * 1024

export const captureBudgets: Readonly<Record<Depth, CaptureBudget>> = {
  light: {
    requests: 8,
    foreignRequests: 2,
    keptBytes: 8 * mebibyte,
    sitemapBytes: 4 * mebibyte,
    hosts: 3,
    requestDeadlineMs: 10_000,
    deadlineMs: 20_000,
    sitemaps: 1,
    sitemapsOfIndex: 1,
    sitemapUrls: 0,
    pages: 0,
    links: 0,
    pictures: 0,
  },
  basic: {
    requests: 30,
    foreignRequests: 6,
    keptBytes: 8 * mebibyte,
    sitemapBytes: 4 * mebibyte,
    hosts: 4,
    requestDeadlineMs: 15_000,
    deadlineMs: 80_000,
    sitemaps: 2,
    sitemapsOfIndex: 2,
    sitemapUrls: 10,
    pages: 8,
    links: 0,
    pictures: 0,
  },
  full: {
    requests: 120,
    foreignRequests: 20,
    keptBytes: 12 * mebibyte,
    sitemapBytes: 6 * mebibyte,
    hosts: 6,
    requestDeadlineMs: 20_000,
    deadlineMs: 210_000,
    sitemaps: 3,
    sitemapsOfIndex: 3,
    sitemapUrls: 10,
    pages: 14,
    links: 50,
    pictures: 20,
  },
}

/** How many bytes of a body are kept, by what it is. A sitemap is useful only as a whole. */
export const keep = {
  nothing: 0,
  head: 64 * 1024,
  document: mebibyte,
  robots: 600 * 1024,
  script: 512 * 1024,
  page: 2 * mebibyte,
  sitemap: 4 * mebibyte,
} as const
