import type { Depth } from '../site/capture.ts'

/**
 * How much one scan may take: of the website's patience, of our memory and of time. A scan is started by
 * anybody, for any website, so without these limits a caller could have us load a stranger's server, or a
 * stranger's server could fill our memory.
 */
export interface CaptureBudget {
  /** All that go out: robots.txt of every host, each redirect, and the GET after a HEAD that was refused. */
  readonly requests: number
  /** Of these to other sites, which never asked for a scan: a sitemap, a link or a redirect leads there. */
  readonly foreignRequests: number
  /** Decoded bodies of the whole scan; beyond it they are cut. */
  readonly keptBytes: number
  /** Of these for sitemaps: a few large ones would leave nothing for the pages. */
  readonly sitemapBytes: number
  /** Hosts whose robots.txt is read. Addresses of further hosts are left alone. */
  readonly hosts: number
  readonly requestDeadlineMs: number
  /** For all requests of the scan. It leaves the worker time to read what was fetched. */
  readonly deadlineMs: number
  readonly sitemaps: number
  readonly sitemapsOfIndex: number
  readonly sitemapUrls: number
  readonly pages: number
  readonly links: number
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
  },
}

/** What is kept of one body, by what it is. A sitemap is of use only as a whole. */
export const keep = {
  nothing: 0,
  head: 64 * 1024,
  document: mebibyte,
  robots: 600 * 1024,
  script: 512 * 1024,
  page: 2 * mebibyte,
  sitemap: 4 * mebibyte,
} as const
