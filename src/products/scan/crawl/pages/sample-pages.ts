import { absolute, addressKey, decodedPathOf, depthOf, isAction } from '../../site/addresses.ts'
import type { Link } from '../../site/site.ts'
import { isAbout, isBetterFor, isCalled, isListing, type Topic, type TopicPage } from './page-topics.ts'

export interface PageSources {
  /** Where the home page was found. */
  readonly home: string
  /** Links to pages of the site, in document order. */
  readonly links: readonly PageLink[]
  /** Entries of the sitemap, in its order. */
  readonly sitemapUrls: readonly { readonly loc: string; readonly lastmod?: string }[]
  readonly isAllowed: (url: string) => boolean
  /** Pages that were read already. */
  readonly taken?: readonly string[]
}

export interface PageLink extends Pick<Link, 'url' | 'isNavigation'> {
  /** Its words; a link known by its address alone has none. */
  readonly text?: string
}

export interface SampledPages {
  /** One for each topic that has a page and that no page read before is about. */
  readonly named: readonly string[]
  /** Some of the other pages, as many as there is room for. */
  readonly rest: readonly string[]
}

/**
 * Chooses which pages of a site a scan reads. A dozen pages stand for a site of ten thousand, so they have to
 * be the ones that say who it is, what it offers and how to reach it, and the same ones in every scan.
 */
export function samplePages(sources: PageSources, topics: readonly Topic[], maxPages: number): SampledPages {
  const candidates = readCandidates(sources)
  const texts = new Map(sources.links.map(({ url, text = '' }) => [candidateKey(url), text]))
  const read = (sources.taken ?? []).map((url) => {
    const key = candidateKey(url)
    return { key, parts: partsOf(url), text: texts.get(key) ?? '' }
  })
  const taken = new Set(read.map(({ key }) => key))
  const named: string[] = []
  for (const topic of topics) {
    const covered = read.findIndex((page) => isAbout(page, topic) || isCalled(page, topic))
    // A page covers one topic once: a topic that is listed twice needs two pages.
    if (covered >= 0) read.splice(covered, 1)
    const best =
      covered >= 0
        ? undefined
        : (bestOf(candidates, taken, topic, isAbout) ?? bestOf(candidates, taken, topic, isCalled))
    if (best === undefined || named.length >= maxPages) continue
    taken.add(best.key)
    named.push(best.url)
  }
  // What the menu names comes first: a check may call something missing only where all of the menu was read. The rest is
  // spread over the site, because neighbors are often of one kind. Views of one page by a query come last.
  const others = candidates.filter(({ key }) => !taken.has(key))
  const bare = new Set(candidates.map(({ key }) => key))
  const isView = ({ key }: Candidate) => key.includes('?') && bare.has(key.replace(/\?.*$/s, ''))
  const room = maxPages - named.length
  // A page in a second language says again what the first says.
  const paths = new Set(
    [...candidates.filter(({ key }) => taken.has(key)), ...others].map(({ parts }) => parts.join('/')),
  )
  const isTranslation = ({ parts }: Candidate) =>
    languagePart.test(parts[0] ?? '') && parts.length > 1 && paths.has(parts.slice(1).join('/'))
  const isLater = (candidate: Candidate) => isView(candidate) || isTranslation(candidate)
  const bareOnes = others.filter((candidate) => !isLater(candidate))
  const isEntry = ({ isNavigation, parts }: Candidate) => isNavigation && !isListing(parts)
  const menu = bareOnes.filter(isEntry)
  const beside = bareOnes.filter((candidate) => !isEntry(candidate))
  const kept = menu.length <= room ? 0 : Math.min(beside.length, Math.floor(room / keptForOthers))
  const fromMenu = spread(menu, room - kept)
  const own = [...fromMenu, ...spread(beside, room - fromMenu.length)]
  return { named, rest: [...own, ...spread(others.filter(isLater), room - own.length)].map(({ url }) => url) }
}

/** `/en/rooms`, beside `/rooms`. */
const languagePart = /^[a-z]{2}(?:[-_][a-z]{2})?$/

/** A menu of hundreds of entries leaves a quarter of the room for pages that it does not name. */
const keptForOthers = 4

/** At most `maxItems` of a list, at even distances, and the same ones each time. */
export function spread<Item>(list: readonly Item[], maxItems: number): Item[] {
  if (list.length <= maxItems) return [...list]
  return Array.from({ length: Math.max(0, maxItems) }, (_, index) =>
    Math.floor((index * list.length) / maxItems),
  ).flatMap((at) => list.slice(at, at + 1))
}

/** The first of each list, then the second of each, without repetitions. */
export function inTurn(lists: readonly (readonly string[])[]): readonly string[] {
  const longest = Math.max(0, ...lists.map(({ length }) => length))
  return [
    ...new Set(Array.from({ length: longest }, (_, at) => lists.flatMap((list) => list[at] ?? [])).flat()),
  ]
}

interface Candidate extends TopicPage {
  readonly url: string
  /** The same for spellings of one page: with and without `www.`, a slash at the end, `index.html` or `.html`. */
  readonly key: string
}

/** Many servers answer `/about` and `/about.html` alike, and a second copy would take the place of another page. */
function candidateKey(url: string): string {
  return addressKey(url).replace(/\.html?(?=$|\?)/, '')
}

const maxCandidates = 5_000

function readCandidates({ home, links, sitemapUrls, isAllowed }: PageSources): Candidate[] {
  const candidates = new Map<string, Candidate>()
  const homeKey = candidateKey(home)
  const add = (address: string, lastmod: string, isNavigation: boolean, text = '') => {
    const url = absolute(address, home)
    if (url === undefined || candidates.size >= maxCandidates || !isPage(url, home)) return
    const key = candidateKey(url)
    if (key === homeKey || depthOf(url) === 0) return
    const known = candidates.get(key)
    if (known === undefined) {
      if (isAllowed(url)) candidates.set(key, { url, key, parts: partsOf(url), text, lastmod, isNavigation })
    } else if (known.lastmod === '' && lastmod !== '') candidates.set(key, { ...known, lastmod })
  }
  for (const link of links) if (link.isNavigation) add(link.url, '', true, link.text)
  for (const link of links) add(link.url, '', false, link.text)
  for (const { loc, lastmod } of sitemapUrls.slice(0, maxCandidates)) add(loc, lastmod ?? '', false)
  return [...candidates.values()]
}

/** Whether an address is a page on the home page's host, and not a file, an account, a shopping cart or an action. */
export function isPage(url: string, home: string): boolean {
  const { host, username, password, pathname } = new URL(url)
  if (username !== '' || password !== '' || isAction(url)) return false
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

function bareHost(host: string): string {
  return host.replace(/^www\./, '')
}

function partsOf(url: string): string[] {
  return decodedPathOf(url)
    .toLowerCase()
    .split('/')
    .filter((part) => part !== '')
}

function bestOf(
  candidates: readonly Candidate[],
  taken: ReadonlySet<string>,
  topic: Topic,
  isNamed: (page: TopicPage, topic: Topic) => boolean,
): Candidate | undefined {
  let best: Candidate | undefined
  for (const candidate of candidates) {
    if (taken.has(candidate.key) || !isNamed(candidate, topic)) continue
    if (best === undefined || isBetterFor(topic, candidate, best)) best = candidate
  }
  return best
}
