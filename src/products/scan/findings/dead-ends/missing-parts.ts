import { addressKey } from '../../site/addresses.ts'
import { attributeOf } from '../../site/html/elements.ts'
import { baseOf } from '../../site/html/references.ts'
import type { Element } from '../../site/html/visible-text.ts'
import type { Page, Site } from '../../site/site.ts'
import { codeOf } from '../forms/form-code.ts'

/** A link to a part of a page that was read, where no element of that page has the name. */
export interface MissingPart {
  readonly page: Page
  readonly node: Element
  /** The page that lacks the part. */
  readonly target: Page
  /** `kontakt` of `/index#kontakt`. */
  readonly part: string
}

/**
 * The links that lead nowhere because the part that they name is missing: whoever clicks there stays at the same place. A script may
 * open something by such a link, so one is left out whose attributes or whose script tells of it, and all of a page whose
 * scripts were not read.
 */
export function missingPartsOf(site: Site): readonly MissingPart[] {
  const seen = known.get(site)
  if (seen !== undefined) return seen
  const pages = new Map(site.pages.map((page) => [addressKey(page.url), page]))
  const found = site.pages.flatMap((page) => {
    const links = page.elements.filter(({ name, isHidden }) => name === 'a' && !isHidden)
    const base = baseOf(page.$, page.url)
    const named = links.flatMap(({ node }) => {
      const href = attributeOf(node, 'href')
      const url = href.includes('#') ? URL.parse(href, base) : null
      const part = url === null ? '' : decoded(url.hash.slice(1))
      const target = url === null || part === '' ? undefined : pages.get(addressKey(url.href))
      return target === undefined || !isName.test(part) || isHandled(node) || hasPart(target, part)
        ? []
        : [{ page, node, target, part }]
    })
    if (named.length === 0) return []
    const code = codeOf(page, site)
    return code === undefined ? [] : named.filter(({ part }) => !code.includes(part))
  })
  known.set(site, found)
  return found
}

const known = new WeakMap<Site, readonly MissingPart[]>()

/** `top` is the top of any page, and `!/shop` or `/shop` is the address of a page within an application. */
const isName = /^(?!top$)[\p{L}\p{N}_][\p{L}\p{N}_.-]{0,80}$/iu

function isHandled({ attribs }: Element): boolean {
  return Object.keys(attribs).some((name) =>
    /^(?:on|data-|aria-(?:controls|haspopup)|role$|@|x-|v-|:)/.test(name),
  )
}

function hasPart({ $ }: Page, part: string): boolean {
  return partsOf($).has(part.toLowerCase())
}

/** By their names in lower case. */
function partsOf($: Page['$']): ReadonlySet<string> {
  const seen = parts.get($)
  if (seen !== undefined) return seen
  const found = new Set(
    $('[id], a[name]')
      .toArray()
      .flatMap(({ attribs }) => [attribs.id, attribs.name].flatMap((name) => name?.toLowerCase() ?? [])),
  )
  parts.set($, found)
  return found
}

const parts = new WeakMap<Page['$'], ReadonlySet<string>>()

function decoded(fragment: string): string {
  try {
    return decodeURIComponent(fragment)
  } catch {
    // What is no escape is meant as it stands.
    return fragment
  }
}
