import { readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { homeSchema } from '../../../src/edge/handlers/service/home.ts'
import { startTestChain, type TestChain } from '../../support/chain/chain.ts'
import { startGateway, type TestGateway } from '../../support/gateways/gateway.ts'
import { projectRoot } from '../../support/gateways/process.ts'
import { hasBrowser, startBrowser } from '../../support/servers/browser.ts'

/** What a person sees who opens the gateway's address, and what a program gets there. */

let chain: TestChain
let gateway: TestGateway
const catalogFile = join(tmpdir(), `tollgate-pages-${crypto.randomUUID()}.yaml`)

/** The shipped catalog with an operation whose path and price are as long as they get. */
async function longCatalog(): Promise<string> {
  const shipped = await readFile(join(projectRoot, 'pricing/catalog.yaml'), 'utf8')
  const upstreams = 'upstreams:\n  llm: { prefix: /llm, targets: ["https://llm.example.com"] }\n'
  const operation = `operations:
  createChatCompletion:
    access: optional
    upstream: llm
    route: POST /v1/organizations/{organization}/projects/{project}/chat/completions
    description: The answer of a language model, by OpenAI's protocol.
    free: 20000 tokens/day
    price: { per: tokens, units: 1000000, input: "0.50", output: "2.00", max: "0.05", max_units: 16000 }
`
  return shipped.replace(/^operations:\n/m, `${upstreams}${operation}`)
}

beforeAll(async () => {
  await writeFile(catalogFile, await longCatalog())
  chain = await startTestChain()
  gateway = await startGateway(chain.rpcUrl, {
    CATALOG_FILE: catalogFile,
    BASE_URL: '',
    PAYMENTS_BASE_URL: '',
  })
})
afterAll(async () => {
  await gateway?.close()
  await chain?.close()
  await rm(catalogFile, { force: true })
})

const browserAccept = 'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,*/*;q=0.8'

/** Asks the running gateway, whatever address its documents name. */
const ask = (href: string, init?: RequestInit) => fetch(new URL(new URL(href).pathname, gateway.url), init)

describe('GET /', () => {
  test('gives a program the first steps as JSON, and links that all lead to a document', async () => {
    const response = await fetch(gateway.url)

    expect(response.status).toBe(200)
    expect(response.headers.get('content-type')).toBe('application/json; charset=utf-8')
    expect(response.headers.get('vary')).toBe('Accept')
    const { _links, endpoints, quickstart, network, play_money } = homeSchema.parse(await response.json())
    expect(endpoints.analyzeBusiness).toMatchObject({ method: 'POST', path: '/api/analyze' })
    expect(network).toBe('base-sepolia')
    expect(play_money).toContain('USDC is play money')
    expect(quickstart.step_2).toContain('/api/insights/scan')
    const documents = ['openapi', 'llms', 'mcp']
    expect(Object.keys(_links)).toEqual([
      ...['self', 'pricing', 'docs', 'reference', 'health', 'payments'],
      ...documents,
    ])
    for (const link of Object.values(_links)) expect((await ask(link?.href ?? '')).status).toBe(200)
  })

  test('gives a browser a page without scripts or outside resources, whose links lead to the same documents', async () => {
    const response = await fetch(gateway.url, { headers: { accept: browserAccept } })

    expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8')
    expect(response.headers.get('vary')).toBe('Accept')
    expect(response.headers.get('content-security-policy')).toMatch(/^default-src 'none'; style-src 'sha256-/)
    const html = await response.text()
    // The data block of schema.org runs nothing, and nothing loads the canonical address.
    expect(html).not.toMatch(/<script(?! type="application\/ld\+json")|\ssrc=|<link(?! rel="canonical")/)
    expect(html).toContain('USDC is play money')
    const { _links } = homeSchema.parse(await (await fetch(gateway.url)).json())
    const links = [...html.matchAll(/href="([^"]+)"/g)].map(([, href]) => href)
    expect(links).toEqual(
      [
        ...[_links.self, _links.docs, _links.health, _links.payments],
        ...[_links.openapi, _links.llms, _links.mcp, _links.pricing, _links.reference],
      ].map((link) => link?.href),
    )
  })

  test('has the same head for HEAD, a 304 for a caller that has the page, and replies 405 to POST', async () => {
    const head = await fetch(gateway.url, { method: 'HEAD', headers: { accept: browserAccept } })
    const get = await fetch(gateway.url, { headers: { accept: browserAccept } })

    expect(head.headers.get('content-type')).toBe(get.headers.get('content-type'))
    expect(head.headers.get('content-length')).toBe(get.headers.get('content-length'))
    const etag = get.headers.get('etag') ?? 'none'
    expect(head.headers.get('etag')).toBe(etag)
    const same = await fetch(gateway.url, { headers: { accept: browserAccept, 'if-none-match': etag } })
    expect([same.status, same.headers.get('vary'), await same.text()]).toEqual([304, 'Accept', ''])
    const other = await fetch(gateway.url, { headers: { 'if-none-match': etag } })
    expect([other.status, other.headers.get('etag') === etag]).toEqual([200, false])
    expect((await fetch(gateway.url, { method: 'POST' })).status).toBe(405)
  })

  test('names no document that the catalog does not offer', async () => {
    const text = await readFile(catalogFile, 'utf8')
    await writeFile(catalogFile, text.replace(/^ {2}(getPricingMarkdown|getHealth):.*\n(?: {4}.*\n)+/gm, ''))
    await gateway.services.catalog.reload()

    const html = await (await fetch(gateway.url, { headers: { accept: browserAccept } })).text()
    const { _links } = homeSchema.parse(await (await fetch(gateway.url)).json())

    expect(Object.keys(_links)).toEqual([
      ...['self', 'pricing', 'reference', 'payments'],
      ...['openapi', 'llms', 'mcp'],
    ])
    expect(html).not.toMatch(/pricing\.md|api\/health/)
    await writeFile(catalogFile, text)
    await gateway.services.catalog.reload()
  })
})

test('GET /pricing shows how to start a free scan, and the scan is accepted as it is shown', async () => {
  const html = await (await fetch(`${gateway.url}/pricing`, { headers: { accept: browserAccept } })).text()

  const command = /curl -i -X POST &#39;(\S+)&#39; \\\s+-H .*\\\s+-d &#39;(.*)&#39;/.exec(
    html.slice(html.indexOf('starts a free scan')),
  )
  expect(html).toContain('USDC is play money')
  const started = await ask(command?.[1] ?? '', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: command?.[2]?.replaceAll('&quot;', '"') ?? '',
  })
  expect(started.status).toBe(200)
  expect(await started.json()).toMatchObject({ scanId: expect.any(String) })
})

describe.runIf(hasBrowser())('in a browser', () => {
  let browser: Browser
  beforeAll(async () => {
    browser = await startBrowser()
  })
  afterAll(() => browser?.close())

  test.each([
    ['/', 360],
    ['/', 768],
    ['/', 1920],
    ['/pricing', 360],
    ['/pricing', 480],
    ['/pricing', 768],
    ['/pricing', 1024],
    ['/pricing', 1280],
    ['/pricing', 1920],
  ])('%s has no overlapping text and does not scroll sideways at %i px', async (path, width) => {
    const page = await browser.newPage({ viewport: { width, height: 900 } })
    const failed: string[] = []
    page.on('console', (message) => failed.push(message.text()))
    await page.goto(`${gateway.url}${path}`)

    const { overlaps, lines, pageWidth } = z
      .object({ overlaps: z.array(z.string()), lines: z.number(), pageWidth: z.number() })
      .parse(await page.evaluate(findOverlaps))

    expect(failed).toEqual([])
    expect(lines).toBeGreaterThan(20)
    expect(overlaps).toEqual([])
    expect(pageWidth).toBe(width)
    await page.close()
  })
})

/** Runs in the page, as text: it compares each line of text with every other one, as far as they are visible. */
const findOverlaps = `(() => {
  const lines = []
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
  while (walker.nextNode()) {
    const node = walker.currentNode
    const text = node.textContent.trim()
    if (text === '') continue
    const range = document.createRange()
    range.selectNodeContents(node)
    const frame = node.parentElement.closest('.scroll, pre')?.getBoundingClientRect()
    for (const rect of range.getClientRects()) {
      const left = Math.max(rect.left, frame?.left ?? rect.left)
      const right = Math.min(rect.right, frame?.right ?? rect.right)
      if (right > left) lines.push({ node, text, left, right, top: rect.top, bottom: rect.bottom })
    }
  }
  const overlaps = []
  for (const [place, a] of lines.entries()) {
    for (const b of lines.slice(place + 1)) {
      if (a.node === b.node) continue
      const wide = Math.min(a.right, b.right) - Math.max(a.left, b.left)
      const high = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top)
      // Line boxes of different fonts may touch by a fraction of a pixel.
      if (wide > 1 && high > 2) overlaps.push(a.text + ' / ' + b.text)
    }
  }
  return { overlaps, lines: lines.length, pageWidth: document.documentElement.scrollWidth }
})()`
