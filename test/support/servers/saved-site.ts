import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { extname, join, resolve } from 'node:path'
import { parse } from 'yaml'
import { z } from 'zod'
import { type Depth, depths } from '../../../src/products/scan/site/capture.ts'
import type { SiteAnswer, SitePage, SiteRequest } from './site-server.ts'

/**
 * A website saved in test/fixtures/sites/<name>: files under `pages` by their path (`about.html` is /about,
 * `index.html` its folder), and `site.yaml` with its names and the replies that are not files. A page that
 * begins with `---` has values for `layout.html`, so that ten pages share one header and footer.
 */
export interface SavedSite {
  /** The first one is scanned. */
  readonly names: readonly string[]
  readonly depth: Depth
  answer(request: SiteRequest): SiteAnswer
}

const folder = resolve(import.meta.dirname, '../../fixtures/sites')

/**
 * `repeat` makes large bodies that the repository need not hold. Pieces keep text that looks like a key
 * apart.
 */
const text = z.union([
  z.string(),
  z.array(z.union([z.string(), z.object({ repeat: z.string(), times: z.number() })])),
])

const route = z.strictObject({
  status: z.number().optional(),
  type: z.string().optional(),
  headers: z.record(z.string(), text).optional(),
  body: text.optional(),
  /** Another path with the same reply. */
  as: z.string().optional(),
  redirect: z.string().optional(),
})
type Route = z.infer<typeof route>

const site = z.strictObject({
  names: z.array(z.string()).min(1),
  depth: z.enum(depths).default('full'),
  /** On every reply. */
  headers: z.record(z.string(), z.string()).optional(),
  /** Plain HTTP: a redirect to HTTPS (301), or the same site. */
  http: z.enum(['redirect', 'same']).default('redirect'),
  /** Every 200 has an ETag, and a request with that ETag gets 304. */
  hasValidators: z.boolean().default(false),
  /** The reply of all other paths. */
  fallback: route.default({ status: 404, type: 'text/html', body: '<h1>Not found</h1>' }),
  /** By path. */
  routes: z.record(z.string(), route).default({}),
  /** The same, for a browser's User-Agent, and for requests that accept text/markdown. */
  forBrowsers: z.record(z.string(), route).default({}),
  asMarkdown: z.record(z.string(), route).default({}),
})

export function siteNames(): string[] {
  return readdirSync(folder)
    .filter((name) => statSync(join(folder, name)).isDirectory())
    .toSorted()
}

export function goldenFile(name: string): string {
  return join(folder, name, 'golden.json')
}

export function loadSite(name: string): SavedSite {
  const settings = site.parse(parse(readFileSync(join(folder, name, 'site.yaml'), 'utf8')))
  const files = readPages(join(folder, name))

  const answerFor = ({ path, userAgent, headers }: SiteRequest): Route => {
    const special = String(headers.accept ?? '').includes('text/markdown')
      ? settings.asMarkdown[path]
      : undefined
    const browser = userAgent.includes('Chrome/') ? settings.forBrowsers[path] : undefined
    const found = special ?? browser ?? settings.routes[path] ?? files.get(path) ?? settings.fallback
    return found.as === undefined ? found : { ...files.get(found.as), ...found }
  }
  return {
    names: settings.names,
    depth: settings.depth,
    answer(request) {
      const { scheme, host, path } = request
      if (scheme === 'http' && settings.http === 'redirect') {
        return { status: 301, headers: { location: `https://${host}${path}` } }
      }
      const page = toPage(answerFor(request), settings.headers ?? {})
      return settings.hasValidators ? validate(page, request) : page
    },
  }
}

function toPage({ status, type, headers, body, redirect }: Route, common: Record<string, string>): SitePage {
  return {
    status: status ?? (redirect === undefined ? 200 : 302),
    headers: {
      ...common,
      ...(type === undefined ? {} : { 'content-type': type }),
      ...(redirect === undefined ? {} : { location: redirect }),
      ...Object.fromEntries(Object.entries(headers ?? {}).map(([name, value]) => [name, joined(value)])),
    },
    body: joined(body ?? ''),
  }
}

function joined(value: z.infer<typeof text>): string {
  if (typeof value === 'string') return value
  return value.map((part) => (typeof part === 'string' ? part : part.repeat.repeat(part.times))).join('')
}

function validate(page: SitePage, { headers }: SiteRequest): SitePage {
  if (page.status !== 200) return page
  const etag = `"${createHash('sha256')
    .update(page.body ?? '')
    .digest('hex')
    .slice(0, 16)}"`
  if (headers['if-none-match'] === etag) return { status: 304, headers: { etag } }
  return { ...page, headers: { ...page.headers, etag } }
}

function readPages(siteFolder: string): Map<string, Route> {
  const pages = join(siteFolder, 'pages')
  if (!existsSync(pages)) return new Map()
  const layoutFile = join(siteFolder, 'layout.html')
  const layout = existsSync(layoutFile) ? readFileSync(layoutFile, 'utf8') : '{{main}}'
  const files = readdirSync(pages, { recursive: true, encoding: 'utf8' }).filter((file) =>
    statSync(join(pages, file)).isFile(),
  )
  return new Map(
    files.map((file) => {
      const path = pathOf(file)
      const text = readFileSync(join(pages, file), 'utf8')
      const body = file.endsWith('.html') ? fillLayout(layout, text, path) : text
      return [path, { type: types[extname(file)] ?? 'application/json', body }]
    }),
  )
}

/** Files without an extension are JSON for agents, such as /.well-known/api-catalog. */
const types: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.txt': 'text/plain; charset=utf-8',
  '.md': 'text/markdown; charset=utf-8',
  '.xml': 'application/xml',
  '.js': 'text/javascript',
  '.css': 'text/css',
}

function pathOf(file: string): string {
  return `/${file}`.replace(/\.html$/, '').replace(/(?<=\/)index$/, '')
}

const values = z.record(z.string(), z.string())

function fillLayout(layout: string, file: string, path: string): string {
  if (!file.startsWith('---\n')) return file
  const end = file.indexOf('\n---\n')
  const given = values.parse(parse(file.slice(4, end)))
  const all: Record<string, string> = { head: '', ...given, path, main: file.slice(end + 5) }
  return layout.replace(/\{\{(\w+)\}\}/g, (_, name: string) => all[name] ?? '')
}
