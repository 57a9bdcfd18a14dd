import { addressKey, decodedPart } from '../../site/addresses.ts'
import { attributeOf } from '../../site/html/elements.ts'
import { baseOf } from '../../site/html/references.ts'
import { around, type Element } from '../../site/html/visible-text.ts'
import type { Page, Site } from '../../site/site.ts'
import { codeOf, sourcesOf } from '../forms/form-code.ts'
import { type ClickCode, hasName, isForShow, readCode } from './click-code.ts'

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
 * The links that lead nowhere because the part that they name is missing: whoever clicks there stays at the same place. A
 * script may open something by such a link, or write the part. So a link is left out whose attributes or whose script tell
 * of it, and so are all of pages whose scripts were not read, or may write parts.
 */
export function missingPartsOf(site: Site): readonly MissingPart[] {
  const seen = known.get(site)
  if (seen !== undefined) return seen
  const pages = new Map(site.pages.map((page) => [addressKey(page.url), page]))
  const codes = new Map<Page, ClickCode | undefined>()
  const quietCodeOf = (page: Page): ClickCode | undefined => {
    if (!codes.has(page)) {
      const code =
        page.reply.isCut || sourcesOf(page).some((url) => writers.test(url)) ? undefined : codeOf(page, site)
      codes.set(page, code === undefined || writesParts.test(code) ? undefined : readCode(code, site))
    }
    return codes.get(page)
  }
  const found = site.pages.flatMap((page) => {
    const base = baseOf(page.$, page.url)
    const named = page.elements.flatMap(({ name, node, isHidden }) => {
      const href = name === 'a' && !isHidden ? attributeOf(node, 'href') : ''
      const url = href.includes('#') ? URL.parse(href, base) : null
      const part = url === null ? '' : decodedPart(url.hash.slice(1))
      const target = url === null || part === '' ? undefined : pages.get(addressKey(url.href))
      return url === null ||
        target === undefined ||
        !isName.test(part) ||
        hasPart(target, part, url.hash.slice(1))
        ? []
        : [{ page, node, target, part }]
    })
    const few = named.slice(0, maxLinks).filter(({ node }) => !isHandled(node))
    return few.filter(({ node, target, part }) => {
      const [own, other] = [quietCodeOf(page), quietCodeOf(target)]
      if (own === undefined || other === undefined) return false
      const names = [part, ...attributeOf(node, 'class').split(/\s+/).slice(0, 5), attributeOf(node, 'id')]
      return !hasName(own, names) && !hasName(other, names) && (own.text === '' || !hasPartLike(target, part))
    })
  })
  known.set(site, found)
  return found
}

const known = new WeakMap<Site, readonly MissingPart[]>()
/** Each is looked for in the scripts of its page. */
const maxLinks = 200

/** `top` is the top of any page, `!/shop` and `/shop` are addresses within an application, and `0` and `void` mean nothing. */
const isName = /^(?!(?:top|void|null|none|javascript)$)[\p{L}_][\p{L}\p{N}_.-]{0,80}$/iu

/**
 * Code that gives parts names which do not stand in it, fetches parts, or finds its way by what stands behind the "#". Parts
 * that it holds itself have their names in it.
 */
const writesParts =
  /\bhash\b|popstate|\.id\s{0,3}=(?!=)|setAttribute\(\s{0,3}(?:['"`]id\b|[^'"`\s])|\bid\s{0,3}=\s{0,3}\\?["'`]{0,2}\s{0,3}(?:\$\{|\+)|\bfetch\(|XMLHttpRequest|axios|\$\.(?:ajax|get|post|getJSON)\(|jQuery\.|\.load\(\s{0,3}[^)\s]|\bimport\b|cloneNode|importNode|<template|\bbody\s{0,3}\.\s{0,3}innerHTML|document\.write|hydrat|createApp|createRoot|_jsx|__webpack/
/** Libraries that do. */
const writers =
  /toc|anchor|fullpage|scroll|router|tabs|barba|swup|turbo|alpine|vue|react|angular|elementor|webflow/i

function isHandled(node: Element): boolean {
  return [node, ...around(node)].some(({ attribs }, at) =>
    Object.keys(attribs)
      .slice(0, 50)
      .some((name) => (at === 0 ? handled.test(name) && !isForShow(name) : handledAround.test(name))),
  )
}

const handled = /^(?:on|data-|aria-(?:controls|haspopup)|role$|@|x-|v-|:|\(|hx-|uk-|up-|wire:)/
const handledAround = /^(?:onclick|@|x-|v-|hx-|wire:|uk-)/

function hasPart({ $ }: Page, part: string, raw: string): boolean {
  const names = partsOf($)
  return names.has(part.toLowerCase()) || names.has(raw.toLowerCase())
}

/** A script may open "page-privacy" by a link to "#privacy". */
function hasPartLike({ $ }: Page, part: string): boolean {
  const name = part.toLowerCase()
  return [...partsOf($)].some((one) => one.includes(name) && one.split(/[-_.:]/).includes(name))
}

/** By their names in lower case. */
function partsOf($: Page['$']): ReadonlySet<string> {
  const seen = parts.get($)
  if (seen !== undefined) return seen
  const found = new Set(
    $('[id], a[name], [data-anchor]')
      .toArray()
      .flatMap(({ attribs }) =>
        [attribs.id, attribs.name, attribs['data-anchor']].flatMap((name) => name?.toLowerCase() ?? []),
      ),
  )
  parts.set($, found)
  return found
}

const parts = new WeakMap<Page['$'], ReadonlySet<string>>()
