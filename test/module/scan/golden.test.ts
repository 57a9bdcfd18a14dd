import { readFileSync, writeFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createFetcher, type Fetcher } from '../../../src/platform/net/fetch.ts'
import { takeCapture } from '../../../src/products/scan/crawl/take-capture.ts'
import type { Capture } from '../../../src/products/scan/site/capture.ts'
import { analyze } from '../../../src/products/scan/worker/analyze.ts'
import { goldenFile, loadSite, siteNames } from '../../support/servers/saved-site.ts'
import { type SiteServer, startSite } from '../../support/servers/site-server.ts'

/**
 * Whole scans of saved websites, over real HTTPS, against the results that were last reviewed (`golden.json`
 * beside each site). A change of a check, a weight or a text shows here as a difference to read. When the new
 * results are right, write them with `UPDATE_GOLDEN=1` before the usual command for this file.
 */
const isUpdate = process.env.UPDATE_GOLDEN === '1'
const now = Date.parse('2026-11-21T12:00:00Z')

describe.each(siteNames())('the saved site %s', (name) => {
  let server: SiteServer
  let fetcher: Fetcher
  let first: Capture
  let second: Capture

  const scan = async () => {
    const { names, depth } = loadSite(name)
    const parts = { fetcher, clock: { now: () => now }, productToken: 'tollgate' }
    const request = { url: `https://${names[0]}/`, hasScheme: true, depth }
    return withoutTimes(await takeCapture(parts, request, () => {}, new AbortController().signal, 60_000))
  }

  beforeAll(async () => {
    const site = loadSite(name)
    server = await startSite(site.names, site.answer)
    fetcher = createFetcher({ userAgent: 'tollgate/1.0', allowed: server.allowed, ca: server.ca })
    first = await scan()
    // At once: while results are worked out in this thread, the server closes the connections of the first scan.
    second = await scan()
  })

  afterAll(async () => {
    await fetcher.close()
    await server.close()
  })

  test('the scan gives the reviewed scores, findings and opportunities, byte for byte', () => {
    const result = resultOf(first)
    if (isUpdate) writeFileSync(goldenFile(name), result)
    expect(result).toBe(readFileSync(goldenFile(name), 'utf8'))
  })

  test('a capture that was saved as JSON and read again gives the same results', () => {
    expect(resultOf(JSON.parse(JSON.stringify(first)))).toBe(readFileSync(goldenFile(name), 'utf8'))
  })

  test('two scans capture the site in the same way', () => {
    expect(JSON.stringify(second)).toBe(JSON.stringify(first))
  })
})

function resultOf(capture: Capture): string {
  const { analysis, findings, faults } = analyze(capture, now)
  expect(faults).toEqual([])
  // The other findings are in the analysis, as its challenges.
  const others = findings
    .filter(({ result }) => result === 'pass' || result === 'na')
    .map(({ agent, check, result, reason }) => [`${agent}/${check}`, `${result}: ${reason}`])
  return `${JSON.stringify({ analysis, others: Object.fromEntries(others) }, undefined, 1)}\n`
}

/** The time to the first byte is the only thing that differs between machines and days. */
function withoutTimes(capture: Capture): Capture {
  return {
    ...capture,
    exchanges: capture.exchanges.map((exchange) =>
      exchange.outcome === 'replied' ? { ...exchange, firstByteMs: 120 } : exchange,
    ),
  }
}
