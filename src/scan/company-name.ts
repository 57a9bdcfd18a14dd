import { shown } from './addresses.ts'
import { nodesOf, textOf } from './json-ld.ts'
import type { Page, Site } from './site.ts'

/**
 * What the business calls itself: in its markup, to social networks, in the title of its home page, and
 * failing all of them its domain. It is text of a stranger, so it is made visible and cut.
 */
export function companyName(site: Site): string {
  for (const name of namesOf(site)) {
    if (/[\p{L}\p{N}]/u.test(name)) return shown(name, maxLength)
  }
  return site.capture.domain
}

const maxLength = 100

function* namesOf(site: Site): Generator<string> {
  for (const page of site.pages) yield* organizationNames(page)
  if (site.home === undefined) return
  yield site.home.$('meta[property="og:site_name"]').first().attr('content') ?? ''
  yield titleSuffix(site.home.title, site.registrableDomain)
}

/** The page's own organisation first; one inside another node may be a publisher, and as well a customer. */
function organizationNames(page: Page): string[] {
  const nodes = nodesOf(page, 'Organization')
  const own = nodes.filter(({ isTop }) => isTop)
  return [...own, ...nodes.filter(({ isTop }) => !isTop)].map(({ properties }) => textOf(properties.name))
}

/** "Example Ltd" of "Home | Example Ltd": the end that reads like the domain, otherwise the last one. */
function titleSuffix(title: string, domain: string): string {
  const parts = title
    .slice(0, 300)
    .split(/ [-|–—·•»] |: |\|/)
    .map((part) => part.trim())
    .filter((part) => part !== '')
  const [first, last] = [parts.at(0), parts.at(-1)]
  if (first === undefined || last === undefined || parts.length < 2) return ''
  const label = lettersOf(domain.split('.')[0] ?? '')
  const match = [last, first].find((part) => isAlike(lettersOf(part), label))
  if (match !== undefined) return match
  return last.length <= 60 ? last : ''
}

function isAlike(one: string, other: string): boolean {
  return one.length > 2 && other.length > 2 && (one.includes(other) || other.includes(one))
}

function lettersOf(text: string): string {
  return text.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '')
}
