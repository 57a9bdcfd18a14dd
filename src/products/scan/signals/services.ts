import type { Evidence } from '../findings/check.ts'
import type { SiteReply } from '../site/capture.ts'
import { metaOf, type PageElement } from '../site/html/elements.ts'
import { isTemplateTarget } from '../site/html/template-text.ts'
import { type Fingerprint, fingerprints, type ServiceKind } from '../site/services/fingerprints.ts'
import { isAt, isLoadedFrom } from '../site/services/side-scripts.ts'
import type { Page } from '../site/site.ts'

/**
 * A service that the site works with, recognized by its traces in the pages. Services show how the business
 * handles enquiries, bookings and orders.
 */
export interface Service {
  readonly name: string
  readonly kinds: readonly ServiceKind[]
  /** The first place where it was seen. */
  readonly evidence: Evidence
}

/** Reads the services of some pages: each service once, in the order of the table. */
export function readServices(pages: readonly Page[], scripts: readonly SiteReply[] = []): readonly Service[] {
  // A menu and its scripts stand on every page.
  const traces = [
    ...new Map(
      [...pages.flatMap(tracesOf), ...scripts.flatMap(tracesOfScript)]
        .toReversed()
        .map((trace) => [`${trace.kind} ${trace.kind === 'inline' ? trace.text : trace.value}`, trace]),
    ).values(),
  ].toReversed()
  return fingerprints.flatMap((fingerprint) => {
    const trace = traces.find((one) => fits(fingerprint, one))
    const { name, kinds } = fingerprint
    return trace ? [{ name, kinds, evidence: { url: trace.page, value: `${name}: ${trace.value}` } }] : []
  })
}

/** Returns where the first service of one of these kinds shows. */
export function firstService(
  services: readonly Service[],
  ...wanted: readonly ServiceKind[]
): Evidence | undefined {
  return services.find(({ kinds }) => wanted.some((kind) => kinds.includes(kind)))?.evidence
}

type Trace = { readonly page: string; readonly value: string } & (
  | { readonly kind: 'loads' | 'links'; readonly host: string; readonly path: string }
  | { readonly kind: 'generator' | 'header' | 'cookie' | 'form' | 'script' }
  | { readonly kind: 'inline'; readonly text: string }
)

function fits(marks: Fingerprint, trace: Trace): boolean {
  switch (trace.kind) {
    case 'loads':
      return isLoadedFrom(marks, trace)
    case 'links':
      return (
        (marks.linkPath !== undefined && trace.path.includes(marks.linkPath)) ||
        (marks.links ?? []).some(
          (mark) => isAt(trace, mark) && !isFront(trace, mark) && !tellsOfService(trace, mark),
        )
      )
    case 'generator':
      return marks.generator !== undefined && trace.value.toLowerCase().startsWith(marks.generator)
    case 'script':
      return marks.script === trace.value
    case 'form':
      return (marks.form ?? []).includes(trace.value)
    case 'header':
      return marks.header === trace.value
    case 'inline':
      return marks.inline !== undefined && trace.text.includes(marks.inline) && !templateId.test(trace.text)
    case 'cookie':
      return marks.cookie !== undefined && trace.value.startsWith(marks.cookie)
  }
}

/** "G-XXXXXXXXXX", in a script or in the address of one: the snippet of a template counts for no account. */
const templateId = /['"`=](?:G|UA|AW|GTM)-(?:X{4,}|0{4,}|YOUR\w*)/i

/** The service's own front page, which a list of customers or of tools links: an account has an address below it. */
function isFront({ host, path }: { host: string; path: string }, mark: string): boolean {
  return path === '/' && host.replace(/^www\./, '') === mark.replace(/^www\./, '').replace(/\/$/, '')
}

/** What the service says of itself. A review of it or the work of its designer links that, and books nothing there. */
function tellsOfService({ host, path }: { host: string; path: string }, mark: string): boolean {
  return host.replace(/^www\./, '') === mark.replace(/^www\./, '') && ofService.test(path)
}

const ofService =
  /^\/(?:[a-z]{2}(?:-[a-z]{2})?\/)?(?:about(?:-us)?|features?|pricing|prices?|plans|products?|solutions?|platform|blog|news|press|media|careers|jobs|company|legal|terms|privacy|help|support|docs?|documentation|developers?|api|integrations?|customers?|case-stud(?:y|ies)|stories|compare|vs|enterprise|resources|guides?|learn|academy|download)(?:\/|$)/i

/** The limit for one page, which may name any number of addresses. */
const maxTraces = 1_000

function tracesOf(page: Page): Trace[] {
  const traces = new Map<string, Trace>()
  const add = (kind: 'loads' | 'links', address: string) => {
    const url = URL.parse(address.slice(0, 2_048), page.url)
    if (url === null || !/^https?:$/.test(url.protocol) || traces.size >= maxTraces) return
    if (templateId.test(url.search)) return
    const value = `${url.host}${url.pathname}`
    const key = `${kind} ${value}`
    if (!traces.has(key))
      traces.set(key, { page: page.url, value, kind, host: url.hostname, path: url.pathname })
  }
  for (const { node, name } of page.elements) {
    if (name === 'script' || name === 'iframe') {
      for (const attribute of ['src', 'data-src'])
        if (node.attribs[attribute]) add('loads', node.attribs[attribute])
    }
    if (name === 'link' && node.attribs.href) add('loads', node.attribs.href)
    if (name === 'form' && node.attribs.action && !isTemplateTarget(node.attribs.action))
      add('loads', node.attribs.action)
    if (name === 'a' && node.attribs.href) add('links', node.attribs.href)
    for (const address of addressesOfWidget(name, node)) add('links', address)
    // Tag services ask for a frame or a picture there, for visitors without scripts.
    if (name === 'noscript') for (const address of addressesIn(scriptOf(node))) add('loads', address)
    if (name === 'script' && !node.attribs.src)
      for (const address of addressesIn(scriptOf(node))) add('loads', address)
  }
  const generator = metaOf(page, 'generator')
  const names = [
    ...(generator === '' ? [] : [{ kind: 'generator' as const, value: generator }]),
    ...Object.keys(page.reply.headers).map((value) => ({ kind: 'header' as const, value })),
    ...cookieNames(page).map((value) => ({ kind: 'cookie' as const, value })),
  ]
  const forms = page.elements
    .filter(({ name }) => name === 'form')
    .flatMap(({ node }) => Object.keys(node.attribs).slice(0, 30))
  const attributes = page.elements
    .filter(({ name, node }) => name === 'script' && node.attribs.src)
    .flatMap(({ node }) => Object.entries(node.attribs).slice(0, 30))
    .flatMap(([name, value]) => (value.length <= 20 ? [`${name}=${value}`] : []))
    .slice(0, maxTraces)
  const text = page.elements
    .filter(({ name, node }) => name === 'script' && !node.attribs.src)
    .slice(0, 100)
    .map(({ node }) => scriptOf(node).slice(0, 5_000).replace(/\s+/g, '').replaceAll('"', "'"))
    .join(' ')
  return [
    ...traces.values(),
    ...[...new Set(forms)].map((value) => ({ page: page.url, kind: 'form' as const, value })),
    ...[...new Set(attributes)].map((value) => ({ page: page.url, kind: 'script' as const, value })),
    ...names.map((name) => ({ page: page.url, ...name })),
    { kind: 'inline', page: page.url, value: 'an inline script', text },
  ]
}

/** The script of a service reads there what to open: `<div data-url="https://calendly.com/lind">`. */
function addressesOfWidget(name: string, { attribs }: PageElement['node']): readonly string[] {
  if (name === 'script' || name === 'iframe' || name === 'link' || name === 'meta') return []
  return Object.entries(attribs).flatMap(([attribute, value]) => {
    if (attribute === 'onclick') return addressesIn(value.slice(0, 2_000))
    return attribute.startsWith('data-') && /^https?:\/\//i.test(value) ? [value] : []
  })
}

/** A script of the site's own may load a service after consent. */
function tracesOfScript({ finalUrl, status, body }: SiteReply): Trace[] {
  if (status !== 200) return []
  const loads = addressesIn(body.slice(0, 100_000).replaceAll('\\/', '/')).flatMap((address): Trace[] => {
    const url = URL.parse(address)
    return url === null
      ? []
      : [
          {
            kind: 'loads',
            page: finalUrl,
            value: `${url.host}${url.pathname}`,
            host: url.hostname,
            path: url.pathname,
          },
        ]
  })
  const counts = templateId.test(body.slice(0, 100_000))
    ? loads.filter((load) => !('host' in load) || !/google(?:tagmanager|-analytics)\.com$/.test(load.host))
    : loads
  return counts.slice(0, maxTraces)
}

/** Installation snippets load the real script from an address in a string. */
function addressesIn(script: string): string[] {
  return Array.from(
    script.matchAll(/\/\/([a-z0-9-]{1,63}(?:\.[a-z0-9-]{1,63}){1,5})((?:\/[\w.~-]{0,60}){0,4})/gi),
    ([address]) => `https:${address}`,
  ).slice(0, 200)
}

function scriptOf(node: { readonly children: readonly { readonly type: string }[] }): string {
  const [text] = node.children
  return text !== undefined && 'data' in text && typeof text.data === 'string'
    ? text.data.slice(0, 100_000).replaceAll('\\/', '/')
    : ''
}

function cookieNames(page: Page): string[] {
  return (page.reply.headers['set-cookie'] ?? []).map((line) => line.split('=', 1)[0]?.trim() ?? '')
}
