import type { Depth } from './capture.ts'

/**
 * How much one scan may take: of the website's patience, of our memory and of time. A scan is started by
 * anybody, for any website, so without these limits a caller could have us load a stranger's server, or a
 * stranger's server could fill our memory.
 */
export interface CaptureBudget {
  /** Redirects, and a GET after a HEAD that was refused, belong to the request they follow. */
  readonly requests: number
  /** Decoded bodies of the whole scan; beyond it they are cut. */
  readonly keptBytes: number
  /** Hosts whose robots.txt is read. Addresses of further hosts are left alone. */
  readonly hosts: number
  readonly requestDeadlineMs: number
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
    keptBytes: 8 * mebibyte,
    hosts: 3,
    requestDeadlineMs: 10_000,
    sitemaps: 1,
    sitemapsOfIndex: 1,
    sitemapUrls: 0,
    pages: 0,
    links: 0,
  },
  basic: {
    requests: 30,
    keptBytes: 20 * mebibyte,
    hosts: 4,
    requestDeadlineMs: 15_000,
    sitemaps: 2,
    sitemapsOfIndex: 2,
    sitemapUrls: 10,
    pages: 8,
    links: 0,
  },
  full: {
    requests: 120,
    keptBytes: 40 * mebibyte,
    hosts: 6,
    requestDeadlineMs: 20_000,
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
