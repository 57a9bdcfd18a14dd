import { shown } from '../site/addresses.ts'
import { metaOf } from '../site/html/elements.ts'
import { nodesOf, textOf } from '../site/html/json-ld.ts'
import type { Page, Site } from '../site/site.ts'
import { agreedName, copyrightNamesOf } from './brand-name.ts'

/**
 * What the business calls itself: the name on which several places agree, then what it says in its markup,
 * to social networks and after the copyright sign. A title is a slogan as often as a name, so that only a
 * part which resembles the domain is taken from it; failing all of them the domain stands for itself. It is
 * text of a stranger, so it is made visible and cut.
 */
export function companyName(site: Site): string {
  for (const name of namesOf(site)) {
    if (/[\p{L}\p{N}]/u.test(name)) return shown(name, maxLength)
  }
  return site.capture.domain
}

const maxLength = 100

function* namesOf(site: Site): Generator<string> {
  const { home } = site
  if (home) yield agreedName(home, site) ?? ''
  for (const page of site.pages) yield* organizationNames(page)
  if (home === undefined) return
  yield metaOf(home, 'og:site_name')
  for (const name of copyrightNamesOf(home)) if (!isSlogan(name)) yield name
  yield titlePart(home.title, site.registrableDomain)
}

/** The page's own organisation first; one inside another node may be a publisher, and as well a customer. */
function organizationNames(page: Page): string[] {
  const nodes = nodesOf(page, 'Organization')
  const own = nodes.filter(({ isTop }) => isTop)
  return [...own, ...nodes.filter(({ isTop }) => !isTop)].map(({ properties }) => textOf(properties.name))
}

/** "Example Ltd" of "Home | Example Ltd": a part that reads like the domain. */
function titlePart(title: string, domain: string): string {
  const parts = title
    .slice(0, 300)
    .split(/ [-|–—·•»] |: |\|/)
    .map((part) => part.trim())
    .filter((part) => part !== '' && !isSlogan(part))
  const label = folded(domain.split('.')[0] ?? '').replace(/[^\p{L}\p{N}]/gu, '')
  return [...parts].reverse().find((part) => resembles(part, label)) ?? ''
}

/** "Austin TX plumber, 24/7": a name has no comma, but for its legal form, and is short. */
function isSlogan(text: string): boolean {
  if (text.length > 60 || /[!?]|\d\/\d/.test(text)) return true
  return /,(?!\s(?:inc|llc|ltd|llp|co|corp|plc|gmbh|s\.?a)\b)/i.test(text)
}

/** The words that both share make up at least half of either. */
function resembles(part: string, label: string): boolean {
  const words = folded(part)
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '')
  const shared = words.filter((word) => word.length >= 3 && label.includes(word)).join('').length
  const own = words.join('')
  if (own.length > 2 && label.length > 2 && (own === label || own.includes(label))) return true
  return shared * 2 >= label.length && shared * 2 >= own.length && shared > 2
}

/** As a domain spells it: lower case, without accents, "ä" as "ae". */
function folded(text: string): string {
  return text
    .toLowerCase()
    .replace(/[äöü]/g, (letter) => `${{ ä: 'a', ö: 'o', ü: 'u' }[letter] ?? ''}e`)
    .replaceAll('ß', 'ss')
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
}
