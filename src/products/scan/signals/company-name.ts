import { shown } from '../site/addresses.ts'
import { metaOf } from '../site/html/elements.ts'
import { nodesOf, textOf } from '../site/html/json-ld.ts'
import type { Page, Site } from '../site/site.ts'
import { agreedName, copyrightNamesOf } from './brand-name.ts'

/**
 * Returns the name of the business: the name on which several places agree, else the one in its markup, in
 * og:site_name or after the copyright sign. A title is often a slogan, so only a part that resembles the
 * domain is used. The domain is the last resort. The author of the site controls this text, so it is made
 * printable and cut.
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

/** The page's own organizations come first; one inside another node may be a publisher or a customer. */
function organizationNames(page: Page): string[] {
  const nodes = nodesOf(page, 'Organization')
  const own = nodes.filter(({ isTop }) => isTop)
  return [...own, ...nodes.filter(({ isTop }) => !isTop)].map(({ properties }) => textOf(properties.name))
}

/** "Example Ltd" of "Home | Example Ltd": the last part that resembles the domain. */
function titlePart(title: string, domain: string): string {
  const parts = title
    .slice(0, 300)
    .split(/ [-|–—·•»] |: |\|/)
    .map((part) => part.trim())
    .filter((part) => part !== '' && !isSlogan(part))
  const label = folded(domain.split('.')[0] ?? '').replace(/[^\p{L}\p{N}]/gu, '')
  return [...parts].reverse().find((part) => resembles(part, label)) ?? ''
}

/** "Austin TX plumber, 24/7" is a slogan: a name is short and has no comma except before its legal form. */
function isSlogan(text: string): boolean {
  if (text.length > 60 || /[!?]|\d\/\d/.test(text)) return true
  return /,(?!\s(?:inc|llc|ltd|llp|co|corp|plc|gmbh|s\.?a)\b)/i.test(text)
}

/** Whether the words that both share make up at least half of each. */
function resembles(part: string, label: string): boolean {
  const words = folded(part)
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '')
  const shared = words.filter((word) => word.length >= 3 && label.includes(word)).join('').length
  const own = words.join('')
  if (own.length > 2 && label.length > 2 && (own === label || own.includes(label))) return true
  return shared * 2 >= label.length && shared * 2 >= own.length && shared > 2
}

/** As domains are spelled: lower case, without accents, "ä" as "ae". */
function folded(text: string): string {
  return text
    .toLowerCase()
    .replace(/[äöü]/g, (letter) => `${{ ä: 'a', ö: 'o', ü: 'u' }[letter] ?? ''}e`)
    .replaceAll('ß', 'ss')
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
}
