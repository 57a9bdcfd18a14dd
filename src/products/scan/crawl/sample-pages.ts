import { absolute, depthOf, pathOf } from '../site/addresses.ts'
import type { Link } from '../site/site.ts'

/**
 * Which pages of a site a scan reads. A site of ten thousand pages is judged by a dozen, so they have to be
 * the ones that say who it is, what it offers and how to reach it, and always the same ones.
 */
export interface PageSources {
  /** Where the home page was found. */
  readonly home: string
  /** Of pages to pages of the site, in document order. */
  readonly links: readonly PageLink[]
  /** Of the sitemap, in its order. */
  readonly sitemapUrls: readonly { readonly loc: string; readonly lastmod?: string }[]
  readonly isAllowed: (url: string) => boolean
  /** Pages that are read already. */
  readonly taken?: readonly string[]
}

export type PageLink = Pick<Link, 'url' | 'isNavigation'>

export interface SampledPages {
  /** One for each topic that has a page and that no page read so far is about. */
  readonly named: readonly string[]
  /** Some of the others, as many as there is room for. */
  readonly rest: readonly string[]
}

export function samplePages(sources: PageSources, topics: readonly Topic[], most: number): SampledPages {
  const candidates = readCandidates(sources)
  const read = (sources.taken ?? []).map((url) => ({ key: keyOf(url), parts: partsOf(url) }))
  const taken = new Set(read.map(({ key }) => key))
  const named: string[] = []
  for (const topic of topics) {
    const known = read.findIndex((page) => isAbout(page, topic))
    // A page speaks for one topic: what is wanted twice has to be there twice.
    if (known >= 0) read.splice(known, 1)
    const best = known >= 0 ? undefined : bestOf(candidates, taken, topic)
    if (best === undefined || named.length >= most) continue
    taken.add(best.key)
    named.push(best.url)
  }
  // What is left: spread over the site rather than the first ones, which are often of one kind.
  const others = candidates.filter(({ key }) => !taken.has(key))
  return { named, rest: spread(others, most - named.length).map(({ url }) => url) }
}

/** The same `most` of a list each time, at even distances. */
export function spread<Item>(list: readonly Item[], most: number): Item[] {
  if (list.length <= most) return [...list]
  return Array.from({ length: Math.max(0, most) }, (_, index) =>
    Math.floor((index * list.length) / most),
  ).flatMap((at) => list.slice(at, at + 1))
}

export interface Topic {
  /** First words of a part of the path. */
  readonly words: readonly string[]
  /** The article or product itself, which stands below such a part; the newest first. */
  readonly isBelow?: boolean
}

const about: Topic = {
  words: [
    'about',
    'company',
    'who-we-are',
    'our-story',
    'ueber',
    'uber-uns',
    'über',
    'a-propos',
    'quienes',
    'chi-siamo',
    'over-ons',
  ],
}
const pricing: Topic = {
  words: ['pricing', 'prices', 'price', 'plans', 'fees', 'preise', 'tarif', 'precios', 'prezzi', 'prijzen'],
}
const contact: Topic = { words: ['contact', 'kontakt', 'contacto', 'contatti', 'get-in-touch', 'find-us'] }
const faq: Topic = { words: ['faq', 'questions', 'help', 'haeufige-fragen', 'preguntas'] }
const services: Topic = {
  words: [
    'service',
    'treatments',
    'solutions',
    'what-we-do',
    'features',
    'leistungen',
    'prestations',
    'servicios',
    'servizi',
    'diensten',
  ],
}
const product: Topic = {
  words: ['product', 'shop', 'store', 'produkt', 'produit', 'producto'],
  isBelow: true,
}
const products: Topic = {
  words: ['product', 'shop', 'store', 'collections', 'catalog', 'produkt', 'produit', 'producto'],
}
const articleWords = [
  'blog',
  'news',
  'article',
  'post',
  'journal',
  'insights',
  'guides',
  'magazin',
  'aktuelles',
  'actualites',
  'noticias',
]
const article: Topic = { words: articleWords, isBelow: true }
const articles: Topic = { words: articleWords }
const privacy: Topic = { words: ['privacy', 'datenschutz', 'confidentialite', 'privacidad'] }
const terms: Topic = { words: ['terms', 'tos', 'agb', 'conditions', 'cgv', 'condiciones'] }
const legal: Topic = {
  words: ['imprint', 'impressum', 'legal', 'mentions-legales', 'aviso-legal', 'trust', 'security'],
}
const team: Topic = { words: ['team', 'people', 'staff', 'our-team', 'equipe', 'equipo'] }
const careers: Topic = {
  words: ['career', 'jobs', 'join', 'vacancies', 'karriere', 'stellen', 'emplois', 'empleo'],
}
const docs: Topic = { words: ['docs', 'documentation', 'developer', 'api', 'reference', 'integrations'] }
const booking: Topic = { words: ['book', 'appointment', 'demo', 'schedule', 'termin', 'reserv', 'quote'] }

/** In the order of their worth: when there is no room for all, the last ones are left out. */
export const basicTopics = [about, pricing, contact, faq, services, product, article, privacy, terms]
export const fullTopics = [
  ...[about, pricing, contact, faq, services, product, article, privacy, terms],
  ...[legal, team, careers, docs, booking, article, products, articles],
]

interface Candidate {
  readonly url: string
  /** The same for spellings of one page: with and without `www.` or a slash at the end. */
  readonly key: string
  readonly parts: readonly string[]
  readonly lastmod: string
  readonly isNavigation: boolean
}

const maxCandidates = 5_000

function readCandidates({ home, links, sitemapUrls, isAllowed }: PageSources): Candidate[] {
  const found = new Map<string, Candidate>()
  const homeKey = keyOf(home)
  const add = (address: string, lastmod: string, isNavigation: boolean) => {
    const url = absolute(address, home)
    if (url === undefined || found.size >= maxCandidates || !isPage(url, home)) return
    const key = keyOf(url)
    if (key === homeKey || depthOf(url) === 0) return
    const known = found.get(key)
    if (known === undefined) {
      if (isAllowed(url)) found.set(key, { url, key, parts: partsOf(url), lastmod, isNavigation })
    } else if (known.lastmod === '' && lastmod !== '') found.set(key, { ...known, lastmod })
  }
  for (const link of links) if (link.isNavigation) add(link.url, '', true)
  for (const link of links) add(link.url, '', false)
  for (const { loc, lastmod } of sitemapUrls.slice(0, maxCandidates)) add(loc, lastmod ?? '', false)
  return [...found.values()]
}

/** On the home page's host, and not a file, an account or a basket. */
export function isPage(url: string, home: string): boolean {
  const { host, username, password, pathname } = new URL(url)
  if (username !== '' || password !== '') return false
  if (bareHost(host) !== bareHost(new URL(home).host)) return false
  const path = pathname.toLowerCase()
  const extension = /\.([a-z0-9]{1,8})$/.exec(path)?.[1]
  if (extension !== undefined && !['html', 'htm', 'php', 'aspx', 'jsp'].includes(extension)) return false
  return !path.split('/').some((part) => privateParts.has(part))
}

const privateParts = new Set([
  ...['login', 'logout', 'signin', 'sign-in', 'signup', 'sign-up', 'register', 'account', 'my-account'],
  ...['cart', 'basket', 'checkout', 'wp-admin', 'wp-json', 'wp-login.php', 'cdn-cgi', 'admin', 'search'],
])

function keyOf(url: string): string {
  const { host, pathname, search } = new URL(url)
  return `${bareHost(host)}${pathname.replace(/\/+$/, '')}${search}`
}

function bareHost(host: string): string {
  return host.replace(/^www\./, '')
}

function partsOf(url: string): string[] {
  return readable(pathOf(url))
    .toLowerCase()
    .split('/')
    .filter((part) => part !== '')
}

function readable(path: string): string {
  try {
    return decodeURIComponent(path)
  } catch {
    // Not every path is UTF-8; its ASCII words can still be read.
    return path
  }
}

/** Of a topic: the page named after it rather than one below; then what is in the menu; then the first. */
function bestOf(
  candidates: readonly Candidate[],
  taken: ReadonlySet<string>,
  topic: Topic,
): Candidate | undefined {
  let best: Candidate | undefined
  for (const candidate of candidates) {
    if (taken.has(candidate.key) || !isAbout(candidate, topic)) continue
    if (best === undefined || isBetter(candidate, best, topic)) best = candidate
  }
  return best
}

function isAbout({ parts }: Pick<Candidate, 'parts'>, { words, isBelow }: Topic): boolean {
  const at = parts.findIndex((part) => words.some((word) => part.startsWith(word)))
  if (at < 0) return false
  return isBelow ? at < parts.length - 1 && !isListing(parts) : at === parts.length - 1
}

/** Pages 2 to 99 of a list, and lists by tag, are not what they list. */
function isListing(parts: readonly string[]): boolean {
  return parts.some((part) => ['page', 'tag', 'tags', 'category', 'author'].includes(part))
}

function isBetter(one: Candidate, other: Candidate, { isBelow }: Topic): boolean {
  if (isBelow) return one.lastmod > other.lastmod
  if (one.parts.length !== other.parts.length) return one.parts.length < other.parts.length
  return one.isNavigation && !other.isNavigation
}
